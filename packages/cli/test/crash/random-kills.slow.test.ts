/** The real program killed and terminated at random moments, again and again in the same session: nothing happens twice, everything opens. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type CrashBench,
  expectAllClosed,
  expectNothingTwice,
  lastOfRun,
  openCrashBench,
  openStore,
  storedSession,
} from "./crash-bench.ts";

const killsMin = rounds({ usual: 36, long: 600 });
const killsPerSession = 6;
const terminations = rounds({ usual: 9, long: 60 });
/** Programs running at the same time; they wait for the disk and for each other as much as they compute. */
const lanes = 3;
const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

let bench: CrashBench;
let wholeMs: number;

beforeAll(async () => {
  bench = await openCrashBench();
  const directory = bench.workspace("undisturbed");
  const whole = await bench.run(directory, ["-p", "go"]);
  expect(whole).toMatchObject({ code: 0, stdout: "All turns done.\n", stderr: "" });
  wholeMs = whole.tookMs;
});

afterAll(() => bench.close());

async function inLanes(work: (lane: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
}

test(`killed at ${killsMin} random moments`, { timeout: 1_800_000 }, async () => {
  let kills = 0;
  let sessions = 0;
  const store = openStore(bench.home);
  await inLanes(async (lane) => {
    for (let index = 0; kills < killsMin; index += 1) {
      const directory = bench.workspace(`killed-${lane}-${index}`);
      for (let kill = 0; kill < killsPerSession; kill += 1) {
        const before = await storedSession(store, directory);
        const argv = before === undefined ? ["-p", "go"] : ["-p", "--continue", `go on ${kill}`];
        // Lanes slow each other down, and later turns must be reached as well.
        const ms = random.next() * wholeMs * 1.3;
        const ended = await bench.run(directory, argv, { after: { ms, send: "SIGKILL" } });
        if (ended.signal === "SIGKILL") kills += 1;
        else expect(ended).toMatchObject({ code: 0, stdout: "All turns done.\n" });
        await storedSession(store, directory);
        expectNothingTwice(directory);
      }
      const isStored = (await storedSession(store, directory)) !== undefined;
      const last = await bench.run(directory, ["-p", ...(isStored ? ["--continue"] : []), "go on"]);
      expect(last).toMatchObject({ code: 0, stdout: "All turns done.\n" });
      const stored = await storedSession(store, directory);
      if (stored === undefined) throw new Error("the last run stored nothing");
      expectAllClosed(stored);
      expectNothingTwice(directory);
      expect(lastOfRun(stored.records)).toMatchObject({ type: "run.ended", reason: "completed" });
      sessions += 1;
    }
  });
  await store.close();
  console.log(`killed ${kills} times in ${sessions} sessions`);
});

test(`terminated at ${terminations} random moments, it ends and says so`, {
  timeout: 600_000,
}, async () => {
  let clean = 0;
  const store = openStore(bench.home);
  await inLanes(async (lane) => {
    // On a machine that became slower meanwhile, all the signals may come too early.
    for (let index = 0; index < terminations / lanes || (clean === 0 && index < 10 * terminations); index += 1) {
      const directory = bench.workspace(`terminated-${lane}-${index}`);
      const ms = random.next() * wholeMs * 1.2;
      const ended = await bench.run(directory, ["-p", "go"], { after: { ms, send: "SIGTERM" } });
      // Before there is a run to stop, the signal ends the process as it would any other.
      if (ended.signal === null && ended.code !== 0) {
        clean += 1;
        expect(ended).toMatchObject({ code: 130, stderr: "kedge: Interrupted.\n" });
        const stored = await storedSession(store, directory);
        if (stored === undefined) throw new Error("a run was stopped and nothing is stored");
        expectAllClosed(stored);
        expect(stored.records.findLast(({ fact }) => fact.type === "run.ended")?.fact).toMatchObject({
          reason: "aborted",
        });
      }
      const isStored = (await storedSession(store, directory)) !== undefined;
      const last = await bench.run(directory, ["-p", ...(isStored ? ["--continue"] : []), "go on"]);
      expect(last).toMatchObject({ code: 0, stdout: "All turns done.\n" });
      expectNothingTwice(directory);
    }
  });
  await store.close();
  console.log(`${clean} of ${terminations} were runs that ended by themselves`);
  expect(clean).toBeGreaterThan(0);
});
