/** Conversations that were made shorter or went on elsewhere run again: cleared, moved, summed up, printed, handed over. */
import type { EngineParts } from "@kedge/engine";
import { printHistory } from "@kedge/memory/picture-archive";
import type { FactRecord, ModelCapabilities, ModelEvent } from "@kedge/protocol";
import { createScriptedProvider, type ScriptedAnswer, textAnswer, toolAnswer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { checkSession } from "../../src/replay/index.ts";
import { checked, expectAsRecorded, expectFound, throughFile } from "./checked-recording.ts";
import { type Recording, startRecording } from "./recording.ts";

let recording: Recording | undefined;
afterEach(async () => {
  await recording?.close();
  recording = undefined;
});

const call = (callId: string, tool: string, input: object) => ({ callId, tool, input });
const look = (callId: string) => call(callId, "todo_read", {});
const read = (callId: string) => call(callId, "read", { filePath: "a.txt" });
const print = (callId: string) => call(callId, "bash", { command: "seq 1 4000", description: "print" });
const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

/** A window of 100,000 tokens is to be shortened from 67,000 on. */
function counted(answer: readonly ModelEvent[], input = 80_000): readonly ModelEvent[] {
  return answer.map((event) => (event.type === "end" ? { ...event, usage: { ...usage, input } } : event));
}

type Options = {
  readonly answers: readonly ScriptedAnswer[];
  readonly files?: { readonly [path: string]: string };
  readonly compaction?: NonNullable<EngineParts["compaction"]>;
  readonly parts?: Partial<EngineParts>;
  readonly readsPictures?: boolean;
};

const seeing: ModelCapabilities = {
  tools: true,
  reasoning: "none",
  images: true,
  documents: false,
  mediaInToolResults: true,
  temperature: true,
  cacheMarks: false,
  webSearch: false,
};

async function record({ answers, files = {}, compaction = {}, parts = {}, readsPictures }: Options) {
  const provider = createScriptedProvider(answers);
  recording = await startRecording({
    files,
    parts: {
      models: {
        find: async (ref) => {
          const sizes = { contextTokens: 100_000, outputTokensMax: 64_000 };
          const model = { ref, provider: "mock", id: ref, ...sizes, ...(readsPictures && { capabilities: seeing }) };
          return { ok: true, model, provider };
        },
        cost: () => ({ usd: 0, estimated: false }),
      },
      compaction: { printHistory: async (...history) => printHistory(...history), ...compaction },
      ...parts,
    },
  });
  return recording;
}

async function shortenings(made: Recording): Promise<readonly string[]> {
  return (await made.records()).flatMap(({ fact }) => {
    if (fact.type === "context.cleared") return [`cleared: ${fact.reason}`];
    return fact.type === "context.compacted" ? [`${fact.trigger}: ${fact.strategy}`] : [];
  });
}

/** Read, then summed up in the middle of the run, then read and changed. */
async function recordSummary(): Promise<Recording> {
  const made = await record({
    compaction: { settings: { keepRecentTokens: 100 } },
    files: { "a.txt": "one\n" },
    answers: [
      textAnswer("One."),
      counted(toolAnswer(read("c1"))),
      textAnswer("A summary."),
      toolAnswer(read("c2")),
      toolAnswer(call("c3", "edit", { filePath: "a.txt", oldString: "one", newString: "two" })),
      textAnswer("Two."),
      textAnswer("Three."),
    ],
  });
  await made.prompt(`First. ${"word ".repeat(2_000)}`);
  await made.prompt("Second.");
  await made.prompt("Third.");
  return made;
}

test("a summary in the middle of a run, near the end of the window", async () => {
  const made = await recordSummary();
  expect(await shortenings(made)).toEqual(["threshold: summary"]);
  await expectAsRecorded(made, [6, 3, 0]);
});

test("an outcome and an answer that were changed behind the summary are found", async () => {
  const made = await recordSummary();
  const outcome = await checked(made, (fact) =>
    fact.type === "tool.ended" && fact.callId === "c2" ? { ...fact, output: fact.output.replace("one", "0ne") } : fact,
  );
  await expectFound(made, outcome.divergence, { kind: "tool", at: { type: "tool.ended", callId: "c2" } });
  const answer = await checked(made, (fact) =>
    fact.type === "run.ended" && fact.text === "Two." ? { ...fact, text: "Too." } : fact,
  );
  await expectFound(made, answer.divergence, { kind: "run", at: { type: "run.ended", text: "Two." } });
});

test("a request that was changed behind the summary is found", async () => {
  const made = await recordSummary();
  const { divergence } = await checked(made, (fact) =>
    fact.type === "prompt.admitted" && fact.text === "Third."
      ? { ...fact, text: "Fourth.", promptId: "prm_forged" }
      : fact,
  );
  const last = (await made.records()).findLast(({ fact }) => fact.type === "step.started");
  expect([divergence?.kind, divergence?.seq]).toEqual(["step", last?.seq]);
});

test("results that were cleared before steps of a run", async () => {
  const calls = Array.from({ length: 14 }, (_, index) => print(`c${index + 1}`));
  const made = await record({
    answers: [...calls.map((each) => toolAnswer(each)), counted(toolAnswer(look("c15"))), textAnswer("Done.")],
  });
  await made.prompt("Look.");
  expect(await shortenings(made)).toContain("cleared: size");
  await expectAsRecorded(made, [16, 1, 14]);
});

test("results that were moved into artifacts, and artifacts of calls after them", async () => {
  const content = "remember all of these words ".repeat(10);
  const todos = Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, content, status: "pending" }));
  const made = await record({
    answers: [
      toolAnswer(print("c1")),
      toolAnswer(call("c2", "todo_write", { todos })),
      toolAnswer(look("c3"), look("c4")),
      textAnswer("One."),
      toolAnswer(look("c5")),
      textAnswer("Two."),
      toolAnswer(look("c6")),
      textAnswer("Three."),
    ],
  });
  await made.prompt("First.");
  await made.send<"context.shake">({ type: "context.shake" });
  await made.prompt("Second.");
  await made.restart();
  await made.prompt("Third.");
  expect(await shortenings(made)).toEqual(["cleared: shaken"]);
  const numbers = (await made.records()).flatMap(({ fact }) =>
    fact.type === "tool.ended" && fact.tool === "todo_read" ? [fact.metadata?.["artifact"]] : [],
  );
  expect(numbers).toEqual([0, 1, 5, 6]);
  await expectAsRecorded(made, [8, 5, 1]);
});

test("a history that was printed on pictures, of its own and after it was rejected", async () => {
  const tooLong: ModelEvent = {
    type: "failed",
    failure: { code: "prompt_too_long", message: "no", retryable: false },
  };
  const made = await record({
    compaction: { settings: { strategy: "snapcompact" } },
    readsPictures: true,
    answers: [
      textAnswer("One."),
      counted(toolAnswer(look("c1"))),
      textAnswer("Two."),
      textAnswer("Three."),
      [tooLong],
      textAnswer("Four."),
    ],
  });
  await made.prompt(`First. ${"word ".repeat(12_000)}`);
  await made.prompt("Second.");
  await made.prompt(`Third. ${"more ".repeat(12_000)}`);
  await made.prompt("Fourth.");
  expect(await shortenings(made)).toEqual(["threshold: snapcompact", "overflow: snapcompact"]);
  await expectAsRecorded(made, [6, 1, 0]);
});

test("a conversation that was summed up while nobody did anything, and one that was asked for", async () => {
  const timers: (() => void)[] = [];
  const made = await record({
    compaction: { settings: { idle: { enabled: true, thresholdTokens: 5_000, seconds: 300 } } },
    answers: [
      textAnswer("One."),
      counted(textAnswer("Two."), 6_000),
      textAnswer("A summary."),
      toolAnswer(look("c1")),
      textAnswer("Three."),
      textAnswer("Four."),
      textAnswer("Another summary."),
      textAnswer("Five."),
    ],
    parts: {
      startTimer: (work) => {
        timers.push(work);
        return () => undefined;
      },
    },
  });
  await made.prompt(`First. ${"word ".repeat(2_000)}`);
  await made.prompt("Second.");
  // The end of a run is published in the moment before it is put away.
  await made.send<"context.inspect">({ type: "context.inspect" });
  timers.at(-1)?.();
  await made.factSeen(({ fact }) => fact.type === "context.compacted");
  await made.prompt(`Third. ${"word ".repeat(2_000)}`);
  await made.prompt("Fourth.");
  await made.send<"context.compact">({ type: "context.compact", instructions: "briefly" });
  await made.prompt("Fifth.");
  expect(await shortenings(made)).toEqual(["idle: summary", "manual: summary"]);
  await expectAsRecorded(made, [6, 1, 0]);
  const forged = await checked(made, (fact) => (fact.type === "tool.ended" ? { ...fact, output: "none" } : fact));
  await expectFound(made, forged.divergence, { kind: "tool", at: { type: "tool.ended", callId: "c1" } });
});

async function recordsOf({ store }: Recording, sessionId: string): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const each of store.read(sessionId, 0)) records.push(each);
  return records;
}

test("work that was handed over, in the session that it left and in the one where it goes on", async () => {
  const made = await record({
    answers: [textAnswer("One."), textAnswer("What was done: one."), toolAnswer(look("c1")), textAnswer("Two.")],
  });
  await made.prompt("First.");
  const { engine, sessionId } = made;
  const handed = await engine.send<"session.handoff">({ type: "session.handoff", sessionId, focus: "the rest" });
  if (!handed.ok) throw new Error(handed.failure.message);
  const next = handed.value.sessionId;
  expect(next).not.toBe(sessionId);
  await expectAsRecorded(made, [1, 0, 0]);
  await engine.send<"session.resume">({ type: "session.resume", sessionId: next, mode: "default" });
  const ended = Promise.withResolvers<void>();
  engine.subscribe(next, (event) => {
    if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve();
  });
  const prompt = { type: "prompt.submit", sessionId: next, delivery: "steer", options: {} } as const;
  await engine.send<"prompt.submit">({ ...prompt, text: "Go on." });
  await ended.promise;
  const records = throughFile(await recordsOf(made, next));
  expect(await checkSession(records, made.checkParts)).toEqual({
    ...{ sessionId: next, records: records.length },
    ...{ requestsCompared: 2, outcomesRunAgain: 1, outcomesFromRecord: 0 },
  });
  const forged = records.map((each) =>
    each.fact.type === "tool.ended" ? { ...each, fact: { ...each.fact, output: "none" } } : each,
  );
  const { divergence } = await checkSession(forged, made.checkParts);
  expect([divergence?.kind, divergence?.seq]).toEqual([
    "tool",
    records.find(({ fact }) => fact.type === "tool.ended")?.seq,
  ]);
});

test("a move in the tree with a summary of the branch that was left", async () => {
  const made = await record({
    answers: [textAnswer("One."), textAnswer("Two."), textAnswer("What the branch was."), textAnswer("Three.")],
    parts: { conversation: { branchSummary: { reserveTokens: 1_000 } } },
  });
  await made.prompt("First.");
  await made.prompt("Second.");
  const first = (await made.records()).find(({ fact }) => fact.type === "step.ended")?.fact;
  if (first?.type !== "step.ended") throw new Error("no answer");
  await made.send<"leaf.move">({ type: "leaf.move", entryId: first.stepId, summary: "summary" });
  await made.prompt("Third.");
  expect((await made.records()).map(({ fact }) => fact.type)).toContain("message.added");
  await expectAsRecorded(made, [3, 0, 0]);
});
