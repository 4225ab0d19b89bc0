/** The real program killed while it copies a session, moves in its tree or takes the snapshot of many files: all of it or nothing of it. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyRecord, type ConversationItem, emptySession, type Store } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type CrashBench,
  expectAllClosed,
  expectNothingTwice,
  openCrashBench,
  openStore,
  storedSession,
  textOf,
} from "./crash-bench.ts";

const forkKills = rounds({ usual: 4, long: 30 });
const branchKills = rounds({ usual: 3, long: 30 });
const snapshotKills = rounds({ usual: 3, long: 30 });
const triesMax = rounds({ usual: 40, long: 200 });
const files = 1_500;
const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

let bench: CrashBench;
afterEach(() => bench.close());

type Told = { readonly sessionId: string; readonly words: readonly string[] };

/** What each session of the directory tells, once its chain is found to hold. */
async function sessionsIn(store: Store, directory: string): Promise<readonly Told[]> {
  const found: Told[] = [];
  for (const { sessionId } of await store.sessions({ directory, limit: 1_000 })) {
    expect(await store.verify(sessionId)).toMatchObject({ valid: true, truncated: false });
    const state = emptySession(sessionId);
    for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
    found.push({ sessionId, words: state.items.map(wordsOf) });
  }
  return found;
}

/** Ids differ between a session and its copy. */
function wordsOf(item: ConversationItem): string {
  switch (item.type) {
    case "prompt":
      return item.text;
    case "answer":
      return item.content.map((block) => (block.type === "text" ? block.text : block.type)).join(" ");
    case "results":
      return item.results.map(({ output }) => output).join(" ");
    default:
      return item.type;
  }
}

/** Kills the program at random moments of its usual time until that succeeded often enough. */
async function killOften(kills: number, attempt: (ms: number) => Promise<{ signal: string | null; tookMs: number }>) {
  let wholeMs = (await attempt(60_000)).tookMs;
  let killed = 0;
  for (let tries = 0; killed < kills; tries += 1) {
    if (tries > triesMax) throw new Error(`killed only ${killed} times in ${triesMax} tries`);
    const ended = await attempt(wholeMs * (0.4 + random.next() * 0.7));
    if (ended.signal === "SIGKILL") killed += 1;
    // The machine may have been busier before than it is now.
    else wholeMs = ended.tookMs;
  }
}

test(`killed at ${forkKills} moments of copying a session`, { timeout: 1_800_000 }, async () => {
  bench = await openCrashBench();
  const store = openStore(bench.home);
  const directory = bench.workspace("copied");
  expect(await bench.run(directory, ["-p", "go"])).toMatchObject({ code: 0 });
  const [original] = await sessionsIn(store, directory);
  if (original === undefined) throw new Error("nothing was stored");
  await killOften(forkKills, async (ms) => {
    const argv = ["session", "fork", original.sessionId];
    const ended = await bench.run(directory, argv, { after: { ms, send: "SIGKILL" } });
    // A copy that was begun is whole.
    for (const { words } of await sessionsIn(store, directory)) expect(words).toEqual(original.words);
    return ended;
  });
  const [newest] = await sessionsIn(store, directory);
  const resumed = await bench.run(directory, ["-p", "--resume", newest?.sessionId ?? "", "go on"]);
  expect(resumed).toMatchObject({ code: 0, stdout: "All turns done.\n" });
  expectNothingTwice(directory);
  await store.close();
});

test(`killed at ${branchKills} moments of going elsewhere in the tree`, { timeout: 1_800_000 }, async () => {
  bench = await openCrashBench(() => ({ text: "Said." }), [], { titles: { enabled: false } });
  const store = openStore(bench.home);
  const directory = bench.workspace("branched");
  expect(await bench.run(directory, ["-p", "one"])).toMatchObject({ code: 0 });
  expect(await bench.run(directory, ["-p", "--continue", "two"])).toMatchObject({ code: 0 });
  let other = 0;
  await killOften(branchKills, async (ms) => {
    other += 1;
    const input = `/tree 3\nother ${other}\n/exit\n`;
    const ended = await bench.run(directory, ["--console", "--continue"], { after: { ms, send: "SIGKILL" }, input });
    const stored = await storedSession(store, directory);
    const words = stored?.state.items.filter(({ type }) => type !== "reminder").map(wordsOf) ?? [];
    // Where it was, on the way, or where it went to; always with what was said before.
    expect(words.slice(0, 2)).toEqual(["one", "Said."]);
    expect(words.slice(2).every((word) => /^(two|other \d+|Said\.)$/.test(word))).toBe(true);
    return ended;
  });
  expect(await bench.run(directory, ["-p", "--continue", "go on"])).toMatchObject({ code: 0, stdout: "Said.\n" });
  const stored = await storedSession(store, directory);
  if (stored === undefined) throw new Error("the session is gone");
  expectAllClosed(stored);
  await store.close();
});

test(`killed at ${snapshotKills} moments of a snapshot of ${files} files`, { timeout: 1_800_000 }, async () => {
  bench = await openCrashBench();
  const store = openStore(bench.home);
  let round = 0;
  let prompts = 0;
  await killOften(snapshotKills, async (ms) => {
    round += 1;
    const directory = bench.workspace(`many-${round}`);
    plantFiles(directory);
    const ended = await bench.run(directory, ["-p", "go"], { after: { ms, send: "SIGKILL" } });
    const isStored = (await storedSession(store, directory)) !== undefined;
    const last = await bench.run(directory, ["-p", ...(isStored ? ["--continue"] : []), "go on"]);
    expect(last).toMatchObject({ code: 0, stdout: "All turns done.\n" });
    expect(last.stderr).not.toContain("Undo is unavailable");
    expectNothingTwice(directory);
    const stored = await storedSession(store, directory);
    if (stored === undefined) throw new Error("the last run stored nothing");
    expectAllClosed(stored);
    prompts = stored.state.undoPoints.length;
    return ended;
  });
  const directory = join(bench.folder, `many-${round}`);
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    expect(await bench.run(directory, ["undo", "--force"])).toMatchObject({ code: 0 });
  }
  expect(textOf(join(directory, "slots.txt"))).not.toContain("done");
  expect(existsSync(join(directory, "marks.txt"))).toBe(false);
  await store.close();
});

function plantFiles(directory: string): void {
  for (let number = 0; number < files; number += 1) {
    const folder = join(directory, `part-${number % 40}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${number}.txt`), `${number} ${random.next()}\n`);
  }
}
