/**
 * The real program beside commands that take all memory there is: the kernel ends the command, its result says so in a
 * sentence, and kedge with all its sessions lives.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { expect, onTestFinished, test } from "vitest";
import { entry } from "../crash/crash-bench.ts";
import { ended, openWorkbench, type Workbench } from "../workbench.ts";
import { openMemoryGroup } from "./memory-group.ts";
import { newSession, outputs, prompt, serve } from "./scarce-server.ts";

const megabyte = 1_024 * 1_024;
/** Room for kedge itself and its store, and for little else. */
const groupBytes = 300 * megabyte;
const addressKilobytes = 200 * 1_024;

/** Doubles a text until nothing is left. */
const greedy = "x=x; while :; do x=$x$x; done";

type Scarcity = {
  readonly around: string;
  /** What the result of a greedy command says. */
  readonly said: RegExp;
  /** What is said where another program's end hides that of the greedy one. */
  readonly saidBehindOthers: RegExp;
  readonly script: string;
  readonly hasKilled: () => boolean;
};

/** Where no group can be had, the greedy command may address no more, which it says itself. */
function scarcity(): Scarcity {
  const group = openMemoryGroup(groupBytes);
  if (typeof group !== "string") {
    return {
      around: group.around,
      said: /Command ran out of memory and was ended by the system\./,
      saidBehindOthers: /A process ran out of memory and was ended by the system while the command ran\./,
      script: greedy,
      hasKilled: () => group.ended() > 0,
    };
  }
  console.warn(`${group}: the address space of the command is limited instead`);
  const said = /cannot allocate/;
  const script = `ulimit -v ${addressKilobytes}; ${greedy}`;
  return { around: 'exec "$@"', said, saidBehindOthers: said, script, hasKilled: () => true };
}

const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
const run = (command: string, more: object = {}) => call("bash", { command, description: "run", ...more });

/** The greedy session does what is given; every other one says hi. */
async function open({ script }: Scarcity, greedyTurns: readonly MockTurn[]): Promise<Workbench> {
  const answer = ({ body }: MockRequest): MockTurn => {
    const isGreedy = JSON.stringify(body.messages).includes("be greedy");
    const done = body.messages?.filter(({ role }) => role === "tool").length ?? 0;
    return (isGreedy ? greedyTurns : [run("echo hi")])[done] ?? { text: "Done." };
  };
  const commands = ["echo hi", "bash greedy.sh", "bash greedy.sh | cat"];
  const bench = await openWorkbench(answer, {
    permission: { bash: Object.fromEntries(commands.map((command) => [command, "allow"])) },
  });
  onTestFinished(() => bench.close());
  writeFileSync(join(bench.project, "greedy.sh"), script);
  return bench;
}

test("a command that takes all memory of a server is ended, says so, and all sessions live", async () => {
  const scarce = scarcity();
  const bench = await open(scarce, [run("bash greedy.sh"), run("bash greedy.sh | cat"), run("echo hi")]);
  const server = await serve(bench, scarce.around);
  const [greedySession, other] = [await newSession(server), await newSession(server)];
  expect(await prompt(server, greedySession, "be greedy")).toMatchObject({ ok: true });
  expect(await prompt(server, other)).toMatchObject({ ok: true });
  expect(await outputs(server, other)).toEqual(["hi\n"]);
  const [alone, behindOthers, after] = await outputs(server, greedySession);
  expect(alone).toMatch(scarce.said);
  expect(behindOthers).toMatch(scarce.saidBehindOthers);
  expect(after).toBe("hi\n");
  expect(scarce.hasKilled()).toBe(true);
  expect(server.child.exitCode).toBeNull();
  const third = await newSession(server);
  expect(await prompt(server, third)).toMatchObject({ ok: true });
  expect(await outputs(server, third)).toEqual(["hi\n"]);
});

test("a job that takes all memory is ended and told of as such, and the server lives", async () => {
  const scarce = scarcity();
  const bench = await open(scarce, [
    run("bash greedy.sh", { background: true }),
    call("job", { poll: ["job_1"] }),
    run("echo hi"),
  ]);
  const server = await serve(bench, scarce.around);
  const sessionId = await newSession(server);
  expect(await prompt(server, sessionId, "be greedy")).toMatchObject({ ok: true });
  const [started, polled, after] = await outputs(server, sessionId);
  expect(started).toMatch(/^Started as job_1/);
  expect(polled).toMatch(/ran out of memory and was ended by the system|cannot allocate/);
  expect(after).toBe("hi\n");
  expect(scarce.hasKilled()).toBe(true);
  expect(server.child.exitCode).toBeNull();
});

test("a headless run continues after a command that took all memory", async () => {
  const scarce = scarcity();
  const bench = await open(scarce, [run("bash greedy.sh")]);
  const words = ["-c", scarce.around, "sh", process.execPath, entry, "-p", "be greedy"];
  const child = spawn("sh", words, {
    cwd: bench.project,
    env: { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home, TERM: "dumb" },
  });
  child.stdin.end();
  expect(await ended(child)).toMatchObject({ code: 0, stdout: "Done.\n" });
  const told = bench.model.requests.at(-1)?.body.messages?.findLast(({ role }) => role === "tool")?.content;
  expect(JSON.stringify(told)).toMatch(scarce.said);
  expect(scarce.hasKilled()).toBe(true);
});
