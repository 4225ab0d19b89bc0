/** The real program ended by every signal at random moments at each of its doors: recorded, nothing left, the terminal as before. */
import { livingProcesses, rounds } from "@kedge/testing";
import { beforeEach, expect, test } from "vitest";
import {
  type AtWork,
  type Ending,
  expectNothingLeft,
  openSite,
  random,
  startConsole,
  startHeadless,
  startScreen,
  startServer,
} from "./doors.ts";

beforeEach(({ task }) => random.restart(task.name));
const waitMs = 60_000;
const timeout = rounds({ usual: 120_000, long: 1_800_000 });
const signals = ["SIGHUP", "SIGQUIT", "SIGTERM", "SIGINT"] as const;
type Signal = (typeof signals)[number];

/** In the midst of the last command, or on the way there. */
async function someMoment(busy: Promise<void>, over: Promise<unknown>): Promise<void> {
  const isOnTheWay = random.below(2) === 0;
  const timer = new Promise((resolve) => setTimeout(resolve, random.next() * 1_500));
  await Promise.race([busy, over, ...(isOnTheWay ? [timer] : [])]);
}

async function endBySignal({ pid, over, busy }: AtWork, signal: Signal): Promise<Ending> {
  await someMoment(busy, over);
  process.kill(pid, signal);
  return over;
}

const moments = rounds({ usual: 4, long: 50 });

test.each(signals)(`%s ends a headless run at ${moments} moments`, { timeout }, async (signal) => {
  await Promise.all(
    [0, 1].map(async (lane) => {
      for (let moment = lane; moment < moments; moment += 2) {
        const site = await openSite();
        const ending = await endBySignal(startHeadless(site), signal);
        // Before there is a run to stop, the signal ends the process as it would any other.
        if (ending.signal === null)
          expect(ending).toEqual({
            code: 130,
            signal: null,
            printed: expect.stringMatching(/kedge: Interrupted\.\n$/),
          });
        else expect(ending.signal).toBe(signal);
        await expectNothingLeft(site, { isRecorded: ending.signal === null });
      }
    }),
  );
});

const quieterDoors = [
  ["the console", startConsole, 130, ["SIGHUP", "SIGQUIT", "SIGTERM"]],
  ["the server", startServer, 0, signals],
] as const;

test.each(quieterDoors)("%s records what a signal interrupts", { timeout }, async (_, start, code, sent) => {
  for (const signal of sent) {
    const site = await openSite();
    const { pid, over, busy } = await start(site);
    await busy;
    process.kill(pid, signal);
    expect(await over, signal).toMatchObject({ code, signal: null });
    await expectNothingLeft(site, { isRecorded: true });
  }
});

const screenMoments = rounds({ usual: 2, long: 50 });

const calm = { isAlternateScreen: false, isBracketedPaste: false, isFocusTold: false, isMouseTaken: false };

test.each(signals)(`%s gives the terminal back at ${screenMoments} moments`, { timeout }, async (signal) => {
  for (let moment = 0; moment < screenMoments; moment += 1) {
    const site = await openSite();
    const { terminal, program, busy } = await startScreen(site);
    await expect.poll(program, { message: "the program" }).toBeDefined();
    await someMoment(busy, terminal.shows(/^over$/m, waitMs));
    const pid = program();
    if (pid === undefined) throw new Error(`the program ended by itself:\n${terminal.screen().join("\n")}`);
    process.kill(pid, signal);
    const screen = await terminal.shows(/^over$/m, waitMs);
    const told = (word: string) => screen.find((row) => row.startsWith(word))?.slice(word.length);
    const isRecorded = told("ended with ") === "130";
    expect(told("after "), "the settings of the terminal").toBe(told("before "));
    expect(terminal.state()).toMatchObject(calm);
    expect(terminal.state().cursor.isShown).toBe(true);
    await expectNothingLeft(site, { isRecorded });
  }
});

test(`a terminal that is closed at ${screenMoments} moments ends everything`, { timeout }, async () => {
  for (let moment = 0; moment < screenMoments; moment += 1) {
    const site = await openSite();
    const { terminal, program, busy } = await startScreen(site);
    await expect.poll(program, { message: "the program" }).toBeDefined();
    await someMoment(busy, terminal.shows(/^over$/m, waitMs));
    const pid = program() ?? 0;
    terminal.hangUp();
    await expect.poll(() => livingProcesses("kedge.js").has(pid), { timeout: waitMs }).toBe(false);
    await expectNothingLeft(site, { isRecorded: false });
  }
});
