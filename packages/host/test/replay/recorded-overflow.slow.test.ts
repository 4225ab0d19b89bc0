/** Conversations that became too long run again the way they went: cleared, summed up, given up or interrupted. */
import type { FactRecord, ModelEvent } from "@kedge/protocol";
import { type ScriptedAnswer, textAnswer, toolAnswer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { checked, expectAsRecorded } from "./checked-recording.ts";
import { type Recording, type RecordingOptions, startRecording } from "./recording.ts";

let recording: Recording | undefined;
afterEach(async () => {
  await recording?.close();
  recording = undefined;
});

async function record(options: RecordingOptions): Promise<Recording> {
  recording = await startRecording(options);
  return recording;
}

const call = (callId: string, tool: string, input: object) => ({ callId, tool, input });
const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

const rejected = (overflow?: { readonly inputTokens: number; readonly limitTokens: number }): ScriptedAnswer => [
  {
    type: "failed",
    failure: { code: "prompt_too_long", message: "no", retryable: false, ...(overflow !== undefined && { overflow }) },
  },
];

const typesOf = (records: readonly FactRecord[]) => records.map(({ fact }) => fact.type);

test("a conversation that the vendor rejected as too long and that a summary made shorter", async () => {
  const made = await record({
    files: { "a.txt": "one\n" },
    answers: [
      toolAnswer(call("c1", "read", { filePath: "a.txt" })),
      textAnswer("One."),
      rejected(),
      textAnswer("A summary."),
      toolAnswer(call("c2", "edit", { filePath: "a.txt", oldString: "one", newString: "two" })),
      textAnswer("Two."),
      textAnswer("Three."),
    ],
  });
  await made.prompt(`First. ${"word ".repeat(2_000)}`);
  await made.prompt("Second.");
  await made.prompt("Third.");
  expect(typesOf(await made.records())).toContain("context.compacted");
  const { requestsCompared, divergence, notReplayable } = await checked(made);
  expect({ requestsCompared, divergence, notReplayable }).toEqual({
    requestsCompared: 6,
    divergence: undefined,
    notReplayable: undefined,
  });
  expect(made.leftovers()).toEqual([]);
});

test("a rejected conversation of which clearing was enough, and which then was rejected again", async () => {
  const long = { command: "seq 1 6000", description: "long" };
  const calls = Array.from({ length: 14 }, (_, index) => `c${index + 1}`);
  const limit = { inputTokens: 100_500, limitTokens: 100_000 };
  const made = await record({
    answers: [
      ...calls.map((callId) => toolAnswer(call(callId, "bash", long))),
      rejected(limit),
      rejected(limit),
      textAnswer("A summary."),
      textAnswer("Done."),
    ],
  });
  await made.prompt("Look.");
  const types = typesOf(await made.records()).filter((type) => type.startsWith("context.") || type === "run.ended");
  expect(types).toEqual(["context.cleared", "context.compacted", "run.ended"]);
  await expectAsRecorded(made, [17, 0, 14]);
});

test("a rejected conversation that could not be made shorter", async () => {
  const broken: ModelEvent = { type: "failed", failure: { code: "unknown", message: "no", retryable: false } };
  const made = await record({
    answers: [textAnswer("One."), rejected(), [broken], textAnswer("After all.")],
  });
  await made.prompt(`First. ${"word ".repeat(2_000)}`);
  await made.prompt("Second.");
  const records = await made.records();
  expect(typesOf(records)).toContain("compaction.failed");
  expect(records.at(-1)?.fact).toMatchObject({ type: "run.ended", reason: "error_during_execution" });
  await made.prompt("Third.");
  await expectAsRecorded(made, [3, 0, 0]);
});

test("an answer that found no room in the window", async () => {
  const full = { ...usage, input: 99_000 };
  const made = await record({
    answers: [
      textAnswer("One."),
      [
        { type: "text-delta", text: "Ha" },
        { type: "end", stopReason: "output-limit", usage: full },
      ],
      textAnswer("A summary."),
      textAnswer("Two."),
    ],
  });
  await made.prompt(`First. ${"word ".repeat(2_000)}`);
  await made.prompt("Second.");
  const compacted = (await made.records()).find(({ fact }) => fact.type === "context.compacted")?.fact;
  expect(compacted).toMatchObject({ trigger: "incomplete" });
  await expectAsRecorded(made, [3, 0, 0]);
});

test("a summary after which the tools no longer know a file as read", async () => {
  const edit = { filePath: "a.txt", oldString: "one", newString: "two" };
  const made = await record({
    files: { "a.txt": "one\n" },
    answers: [
      toolAnswer(call("c1", "read", { filePath: "a.txt" })),
      toolAnswer(call("c0", "write", { filePath: "b.txt", content: "b\n" })),
      textAnswer("One."),
      textAnswer("Yes."),
      textAnswer("A summary."),
      toolAnswer(call("c2", "edit", edit)),
      toolAnswer(call("c3", "read", { filePath: "a.txt" })),
      toolAnswer(call("c4", "edit", edit)),
      textAnswer("Two."),
    ],
  });
  await made.prompt(`First. ${"word ".repeat(2_000)}`);
  await made.prompt("Is that so?");
  await made.send<"context.compact">({ type: "context.compact" });
  await made.prompt("Second.");
  const outcomes = (await made.records()).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact.outcome] : []));
  expect(outcomes).toEqual(["completed", "completed", "failed", "completed", "completed"]);
  const { divergence, notReplayable } = await checked(made);
  expect([divergence, notReplayable]).toEqual([undefined, undefined]);
});

test("a run that was interrupted while it was summed up, and another after it", async () => {
  const never = new Promise<never>(() => undefined);
  const summing = Promise.withResolvers<void>();
  const made = await record({
    answers: [
      textAnswer("One."),
      rejected(),
      () => {
        summing.resolve();
        return [never];
      },
      textAnswer("Three."),
    ],
  });
  await made.prompt(`First. ${"word ".repeat(2_000)}`);
  const second = await made.submit("Second.");
  await summing.promise;
  await made.send<"turn.interrupt">({ type: "turn.interrupt" });
  await made.runEnded(second);
  await made.prompt("Third.");
  const ends = (await made.records()).flatMap(({ fact }) => (fact.type === "run.ended" ? [fact.reason] : []));
  expect(ends).toEqual(["completed", "aborted", "completed"]);
  await expectAsRecorded(made, [3, 0, 0]);
});
