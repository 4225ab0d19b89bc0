/** The real program killed while it undoes, redoes, streams a long answer or runs a job: the next start finds everything in order. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, livingProcesses, type MockTurn, rounds, runawayWord } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type CrashBench,
  expectAllClosed,
  expectNothingTwice,
  openCrashBench,
  openStore,
  resultsIn,
  storedSession,
} from "./crash-bench.ts";

const undoKills = rounds({ usual: 8, long: 60 });
const streamKills = rounds({ usual: 5, long: 40 });
const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

let bench: CrashBench;
afterEach(() => bench.close());

function tree(directory: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}

test(`killed at ${undoKills} moments of undo and redo`, { timeout: 1_800_000 }, async () => {
  bench = await openCrashBench();
  const store = openStore(bench.home);
  const directory = bench.workspace("undone");
  const before = tree(directory);
  expect(await bench.run(directory, ["-p", "go"])).toMatchObject({ code: 0 });
  const after = tree(directory);
  const whole = await bench.run(directory, ["undo"]);
  expect(tree(directory)).toEqual(before);
  expect(await bench.run(directory, ["redo"])).toMatchObject({ code: 0 });
  expect(tree(directory)).toEqual(after);

  let kills = 0;
  let wholeMs = whole.tookMs;
  for (let point = 0; kills < undoKills; point += 1) {
    const word = point % 2 === 0 ? "undo" : "redo";
    if (word === "redo") expect(await bench.run(directory, ["undo"])).toMatchObject({ code: 0 });
    const ms = wholeMs * (0.3 + random.next() * 0.8);
    const ended = await bench.run(directory, [word], { after: { ms, send: "SIGKILL" } });
    if (ended.signal === "SIGKILL") kills += 1;
    // The machine may have been busier before than it is now.
    else wholeMs = ended.tookMs;
    await storedSession(store, directory);
    // Whether it had happened or not: redo then gives the newest state, or says that there is nothing to redo.
    await bench.run(directory, ["redo"]);
    expect(tree(directory)).toEqual(after);
    await storedSession(store, directory);
  }
  expect(await bench.run(directory, ["undo"])).toMatchObject({ code: 0 });
  expect(tree(directory)).toEqual(before);
  await store.close();
});

test(`killed at ${streamKills} moments of a long answer`, { timeout: 1_800_000 }, async () => {
  const long: MockTurn = { text: "word ".repeat(20_000), deltaCharacters: 50 };
  bench = await openCrashBench(({ body }) =>
    body.messages?.some(({ content }) => content?.includes("go on")) ? { text: "Done." } : long,
  );
  const store = openStore(bench.home);
  const whole = await bench.run(bench.workspace("streamed"), ["-p", "tell"]);
  expect(whole).toMatchObject({ code: 0 });
  for (let point = 0; point < streamKills; point += 1) {
    const directory = bench.workspace(`streamed-${point}`);
    const ms = whole.tookMs * (0.3 + random.next() * 0.7);
    await bench.run(directory, ["-p", "tell"], { after: { ms, send: "SIGKILL" } });
    if ((await storedSession(store, directory)) === undefined) continue;
    expect(await bench.run(directory, ["-p", "--continue", "go on"])).toMatchObject({ code: 0, stdout: "Done.\n" });
    const stored = await storedSession(store, directory);
    if (stored === undefined) throw new Error("the session is gone");
    expectAllClosed(stored);
  }
  await store.close();
});

test("a command and a job end with a killed kedge, and the next one says so", async () => {
  const word = runawayWord(random);
  const job = `sleep ${word}; echo job >> late.txt`;
  const front = `echo started >> started.txt; sleep ${word}; echo front >> late.txt`;
  const script = (results: number): MockTurn => {
    if (results === 0) return call("bash", { command: job, description: "wait", background: true });
    return results === 1 ? call("bash", { command: front, description: "wait" }) : { text: "Done." };
  };
  const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
  bench = await openCrashBench((request) => script(resultsIn(request)), [job, front, `sleep ${word}`]);
  const directory = bench.workspace("left-behind");
  const isStarted = () => existsSync(join(directory, "started.txt")) && livingProcesses(word).size > 1;
  const until = (async () => expect.poll(isStarted).toBe(true))();
  expect(await bench.run(directory, ["-p", "go"], { until })).toMatchObject({ signal: "SIGKILL" });
  await expect.poll(() => [...livingProcesses(word).values()]).toEqual([]);
  const resumed = await bench.run(directory, ["-p", "--continue", "go on"]);
  expect(resumed).toMatchObject({
    code: 0,
    stdout: "Done.\n",
    stderr: `kedge: A background job from this session stopped when kedge exited: ${job}\n`,
  });
  expectNothingTwice(directory);
  const store = openStore(bench.home);
  const stored = await storedSession(store, directory);
  const jobs = stored?.records.flatMap(({ fact }) => (fact.type === "job.ended" ? [fact.status] : []));
  expect(jobs).toEqual(["lost"]);
  await store.close();
});
