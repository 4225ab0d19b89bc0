/** The real program killed while it shortens its conversation, by itself, on demand and when idle: the old words hold until the new ones are whole. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createSeededRandom, type MockRequest, type MockTurn, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type CrashBench,
  expectAllClosed,
  expectNothingTwice,
  openCrashBench,
  openStore,
  type Stored,
  storedSession,
} from "./crash-bench.ts";

const workKills = rounds({ usual: 9, long: 60 });
const manualKills = rounds({ usual: 4, long: 30 });
const idleKills = rounds({ usual: 3, long: 30 });
const marks = 12;
const marksPerPrompt = 2;
const runsMax = 20;
/** Only a console that shortens nothing lives that long. */
const consoleMsMax = 10_000;
const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

let bench: CrashBench;
afterEach(() => bench.close());

/** From the request for a summary to a moment when it is long stored. */
const shorteningMs = 160;
const summaryMs = 60;

/** Requests for summaries, in the order of their numbers. */
class Summaries {
  #count = 0;
  #asked = Promise.withResolvers<void>();

  script = (request: MockRequest): MockTurn => (isForSummary(request) ? this.#summary() : nextMark(request));

  #summary(): MockTurn {
    this.#count += 1;
    this.#asked.resolve();
    const text = `Summary number ${this.#count}.\n`.repeat(20);
    return { text, deltaCharacters: 20, delayMs: random.below(summaryMs) };
  }

  /** Resolves at a random moment of the next one. */
  async nextMoment(): Promise<void> {
    this.#asked = Promise.withResolvers();
    await this.#asked.promise;
    await setTimeout(random.next() * shorteningMs);
  }
}

function isForSummary({ body }: MockRequest): boolean {
  return (body.tools?.length ?? 0) === 0;
}

/** The work goes on from what lies in the workspace, because the conversation may have been shortened. */
function nextMark({ body }: MockRequest): MockTurn {
  const messages = body.messages ?? [];
  // So that the conversation counts as large at the end of every prompt.
  const isWord = messages.at(-1)?.content?.includes("say a word") === true;
  const usage = { input: isWord || messages.length > 5 ? 50_000 : 500, output: 5 };
  const directory = /Working directory: (.+)/.exec(JSON.stringify(messages[0]?.content ?? "").replaceAll("\\n", "\n"));
  const done = readMarks(directory?.[1] ?? "").length;
  // Long enough that a summary of it is shorter.
  const text = "One more mark is to be left. ".repeat(100);
  if (isWord) return { text, usage };
  const sincePrompt = messages.length - messages.findLastIndex(({ role }) => role === "user");
  if (done >= marks || sincePrompt > 2 * marksPerPrompt) return { text: "Marks left.", usage };
  const input = { command: `echo mark-${done} >> marks.txt`, description: "leave a mark" };
  return { text, toolCalls: [{ id: `call_${done}_${random.below(1e9)}`, name: "bash", input }], usage };
}

function readMarks(directory: string): readonly string[] {
  try {
    return readFileSync(join(directory, "marks.txt"), "utf8").trim().split("\n");
  } catch {
    // No mark was left yet.
    return [];
  }
}

/** What stands for the beginning of the conversation, by the facts alone and as the fold has it. */
function expectHistory({ records, state }: Stored): string {
  const shortened = records.flatMap(({ fact }) => (fact.type === "context.compacted" ? [fact] : []));
  const last = shortened.at(-1);
  const items = state.items.filter(({ type }) => type === "compaction");
  expect(items.map(({ id }) => id)).toEqual(last === undefined ? [] : [last.compactionId]);
  if (last === undefined) {
    expect(state.items[0]).toMatchObject({ type: "prompt", text: "first words" });
    return "first words";
  }
  // Whole or not at all: an answer that was cut short never became a summary.
  const [number = ""] = /Summary number \d+\./.exec(last.summary) ?? [];
  expect(last.summary.split(number)).toHaveLength(21);
  return number;
}

async function expectSound(store: ReturnType<typeof openStore>, directory: string): Promise<string | undefined> {
  const stored = await storedSession(store, directory);
  expectNothingTwice(directory);
  return stored === undefined || stored.state.items.length === 0 ? undefined : expectHistory(stored);
}

const environment = { KEDGE_AUTOCOMPACT_PCT: "20" };
const settings = { titles: { enabled: false }, compaction: { keepRecentTokens: 1 } };

test(`killed at ${workKills} moments of a run that is shortened again and again`, { timeout: 1_800_000 }, async () => {
  const summaries = new Summaries();
  bench = await openCrashBench(summaries.script, [], settings);
  const store = openStore(bench.home);
  let kills = 0;
  let shortened = 0;
  for (let session = 0; kills < workKills; session += 1) {
    const directory = bench.workspace(`work-${session}`);
    expect(await bench.run(directory, ["-p", "first words"], { environment })).toMatchObject({ code: 0, stderr: "" });
    let history = await expectSound(store, directory);
    for (let run = 0; readMarks(directory).length < marks; run += 1) {
      if (run > runsMax) throw new Error(`after ${runsMax} runs there are only ${readMarks(directory).length} marks`);
      const from = bench.model.requests.length;
      const isKilled = run < runsMax / 2;
      const until = isKilled ? { until: summaries.nextMoment() } : {};
      const ended = await bench.run(directory, ["-p", "--continue", "go on"], { ...until, environment });
      if (ended.signal === "SIGKILL") kills += 1;
      else expect(ended).toMatchObject({ code: 0, stdout: "Marks left.\n" });
      expect(bench.model.requests[from]?.raw.toString()).toContain(history);
      history = await expectSound(store, directory);
    }
    expect(await bench.run(directory, ["-p", "--continue", "go on"], { environment })).toMatchObject({ code: 0 });
    const stored = await storedSession(store, directory);
    if (stored === undefined) throw new Error("the last run stored nothing");
    expectAllClosed(stored);
    expect(readMarks(directory)).toEqual(Array.from({ length: marks }, (_, mark) => `mark-${mark}`));
    shortened += stored.records.filter(({ fact }) => fact.type === "context.compacted").length;
  }
  await store.close();
  console.log(`killed ${kills} times, shortened ${shortened} times`);
  expect(shortened).toBeGreaterThan(0);
});

test.each([
  { name: "on demand", kills: manualKills, compaction: {}, lines: "say a word\n/compact\n" },
  {
    name: "when idle",
    kills: idleKills,
    compaction: { idleEnabled: true, idleThresholdTokens: 20_000, idleTimeoutSeconds: 0.05 },
    lines: "say a word\n",
  },
])("killed at $kills moments of a conversation that is shortened $name", { timeout: 1_800_000 }, async (way) => {
  const summaries = new Summaries();
  const compaction = { ...settings.compaction, ...way.compaction };
  bench = await openCrashBench(summaries.script, [], { ...settings, compaction });
  const store = openStore(bench.home);
  const directory = bench.workspace("console");
  expect(await bench.run(directory, ["-p", "first words"])).toMatchObject({ code: 0, stderr: "" });
  const histories = new Set<string>();
  for (let kill = 0; kill < way.kills; kill += 1) {
    const from = bench.model.requests.length;
    const before = await expectSound(store, directory);
    const bound = { ms: consoleMsMax, send: "SIGKILL" } as const;
    const options = { until: summaries.nextMoment(), after: bound, input: way.lines };
    const ended = await bench.run(directory, ["--console", "--continue"], options);
    expect(ended.signal).toBe("SIGKILL");
    expect(bench.model.requests.slice(from).some(isForSummary)).toBe(true);
    expect(bench.model.requests[from]?.raw.toString()).toContain(before);
    histories.add((await expectSound(store, directory)) ?? "");
  }
  expect(await bench.run(directory, ["-p", "--continue", "say a word"])).toMatchObject({ code: 0 });
  const stored = await storedSession(store, directory);
  if (stored === undefined) throw new Error("the session is gone");
  expectAllClosed(stored);
  expect(stored.records.some(({ fact }) => fact.type === "compaction.failed")).toBe(false);
  await store.close();
  console.log(`${way.name}: ${histories.size} beginnings of the conversation in ${way.kills} kills`);
});
