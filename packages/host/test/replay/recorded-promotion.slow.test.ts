/** Runs that another model took over, for its window or after an outage, run again and are followed to their end. */
import type { FactOf, ModelEvent } from "@kedge/protocol";
import { createScriptedProvider, type ScriptedAnswer, textAnswer, toolAnswer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { checked, expectAsRecorded, expectFound } from "./checked-recording.ts";
import { type Recording, startRecording } from "./recording.ts";

let recording: Recording | undefined;
afterEach(async () => {
  await recording?.close();
  recording = undefined;
});

const windows: { readonly [model: string]: number } = {
  "mock/model": 100_000,
  "mock/other": 100_000,
  "mock/small": 30_000,
  "mock/large": 900_000,
};

/** Whoever has no window here cannot be had. */
async function record(answers: readonly ScriptedAnswer[], files: { readonly [path: string]: string } = {}) {
  const provider = createScriptedProvider(answers);
  recording = await startRecording({
    files,
    parts: {
      compaction: { promotionModel: "mock/large" },
      models: {
        find: async (ref) => {
          const contextTokens = windows[ref];
          if (contextTokens === undefined) {
            return { ok: false, failure: { code: "invalid_model", message: `no ${ref}`, retryable: false } };
          }
          const sizes = { contextTokens, outputTokensMax: 64_000 };
          return { ok: true, model: { ref, provider: "mock", id: ref, ...sizes }, provider };
        },
        cost: (_, usage) => ({ usd: (usage.input + usage.output * 5) / 1_000_000, estimated: false }),
      },
    },
  });
  return recording;
}

const call = (callId: string, tool: string, input: object) => ({ callId, tool, input });
const read = (callId: string) => call(callId, "read", { filePath: "a.txt" });
const change = (callId: string, oldString: string, newString: string) =>
  call(callId, "edit", { filePath: "a.txt", oldString, newString });
const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

/** The vendor counts more than the first model should be given. */
function counted(answer: readonly ModelEvent[], input: number): readonly ModelEvent[] {
  return answer.map((event) => (event.type === "end" ? { ...event, usage: { ...usage, input } } : event));
}

const cutOff = (text: string, input = 100): readonly ModelEvent[] => [
  { type: "text-delta", text },
  { type: "end", stopReason: "output-limit", usage: { ...usage, input } },
];

const failed = (code: "prompt_too_long" | "server_overload"): ScriptedAnswer => [
  { type: "failed", failure: { code, message: "no", retryable: code === "server_overload" } },
];

/** Model and reason of each step. */
async function models(made: Recording): Promise<readonly string[]> {
  const started = (await made.records()).flatMap(({ fact }) => (fact.type === "step.started" ? [fact] : []));
  return started.map(({ model, fallback }) => (fallback === undefined ? model : `${model} (${fallback.reason})`));
}

async function lastEnd(made: Recording): Promise<FactOf<"run.ended">> {
  const ends = (await made.records()).flatMap(({ fact }) => (fact.type === "run.ended" ? [fact] : []));
  const end = ends.at(-1);
  if (end === undefined) throw new Error("no run has ended");
  return end;
}

async function recordPromotion(): Promise<Recording> {
  const made = await record(
    [
      textAnswer("One."),
      toolAnswer(read("c1")),
      counted(toolAnswer(change("c2", "one", "two")), 80_000),
      toolAnswer(read("c3")),
      textAnswer("It says two."),
      textAnswer("Three."),
    ],
    { "a.txt": "one\n" },
  );
  await made.prompt("First.");
  await made.prompt("Second.");
  await made.prompt("Third.", { fallbackModel: "mock/other" });
  return made;
}

test("a conversation that came near its window in the middle of a run", async () => {
  const made = await recordPromotion();
  expect(await models(made)).toEqual([
    "mock/model",
    "mock/model",
    "mock/model",
    "mock/large (context)",
    "mock/large",
    "mock/model",
  ]);
  await expectAsRecorded(made, [6, 3, 0]);
});

test.each([
  {
    what: "an outcome",
    kind: "tool",
    at: { type: "tool.ended", callId: "c3" },
    change: (text: string) => text.replace("two", "2wo"),
  },
  { what: "an answer", kind: "run", at: { type: "run.ended", text: "It says two." }, change: undefined },
] as const)("$what that was changed behind the promotion is found", async ({ kind, at, change: changeText }) => {
  const made = await recordPromotion();
  const { divergence } = await checked(made, (fact) => {
    if (fact.type === "tool.ended" && fact.callId === "c3" && changeText !== undefined) {
      return { ...fact, output: changeText(fact.output) };
    }
    if (fact.type !== "step.ended" || changeText !== undefined) return fact;
    const content = fact.content.map((block) =>
      block.type === "text" && block.text === "It says two." ? { ...block, text: "It says too." } : block,
    );
    return { ...fact, content };
  });
  await expectFound(made, divergence, { kind, at });
});

test("a request that was changed behind the promotion is found", async () => {
  const made = await recordPromotion();
  const { divergence } = await checked(made, (fact) =>
    fact.type === "step.started" && fact.fallback !== undefined ? { ...fact, withoutMedia: true } : fact,
  );
  await expectFound(made, divergence, { kind: "step", at: { type: "step.started", model: "mock/large" } });
});

test("a conversation that the vendor rejected", async () => {
  const made = await record([textAnswer("One."), failed("prompt_too_long"), textAnswer("Two."), textAnswer("Three.")]);
  await made.prompt("First.");
  await made.prompt("Second.");
  await made.prompt("Third.");
  expect(await models(made)).toEqual(["mock/model", "mock/model", "mock/large (context)", "mock/model"]);
  await expectAsRecorded(made, [4, 0, 0]);
});

test("an answer that found no room, in the middle of one that was gone on with", async () => {
  const made = await record([
    cutOff("dropped", 100),
    cutOff("A long"),
    cutOff(" stor", 99_000),
    textAnswer("y."),
    textAnswer("Done."),
  ]);
  await made.prompt("Tell.");
  expect((await lastEnd(made)).transitions).toEqual(["output_escalate", "output_resume", "context_promoted"]);
  await made.prompt("More.");
  await expectAsRecorded(made, [5, 0, 0]);
});

test("an answer that our own limit cut off, while the user filled the window", async () => {
  const answering = Promise.withResolvers<void>();
  const said = Promise.withResolvers<void>();
  const made = await record([
    counted(textAnswer("One."), 60_000),
    counted(toolAnswer(call("c1", "todo_read", {})), 60_000),
    () => {
      answering.resolve();
      return [said.promise, ...cutOff("dropped")];
    },
    cutOff("A long"),
    textAnswer(" story."),
  ]);
  await made.prompt("First.");
  const runId = await made.submit("Tell.");
  await answering.promise;
  await made.submit(`About: ${"word ".repeat(10_000)}`);
  said.resolve();
  await made.runEnded(runId);
  expect((await lastEnd(made)).transitions).toEqual([
    "tool_results",
    "output_escalate",
    "context_promoted",
    "output_resume",
  ]);
  await expectAsRecorded(made, [5, 1, 0]);
});

test("a fallback that had too small a window itself, in a run that was gone on with", async () => {
  const made = await record([
    counted(toolAnswer(call("c1", "todo_read", {})), 40_000),
    failed("server_overload"),
    textAnswer("Two."),
    failed("server_overload"),
    textAnswer("Three."),
  ]);
  await made.prompt(`First. ${"word ".repeat(24_000)}`, { fallbackModel: "mock/small" });
  await made.prompt("Second.", { fallbackModel: "mock/other" });
  expect(await models(made)).toEqual([
    "mock/model",
    "mock/model",
    "mock/large (context)",
    "mock/model",
    "mock/other (server_overload)",
  ]);
  await expectAsRecorded(made, [5, 1, 0]);
  // As with a run that was gone on with, of which the record does not hold what it was given.
  const { divergence, requestsCompared } = await checked(made, (fact) => {
    if (fact.type !== "prompt.admitted") return fact;
    const { options: _, ...rest } = fact;
    return rest;
  });
  expect([divergence, requestsCompared]).toEqual([undefined, 5]);
});

test("an outage after the promotion, and one with a fallback that could not be had", async () => {
  const made = await record([
    failed("prompt_too_long"),
    failed("server_overload"),
    textAnswer("Two."),
    failed("server_overload"),
    textAnswer("Four."),
  ]);
  await made.prompt("First.", { fallbackModel: "mock/other" });
  await made.prompt("Second.", { fallbackModel: "mock/nowhere" });
  await made.prompt("Third.");
  expect(await models(made)).toEqual([
    "mock/model",
    "mock/large (context)",
    "mock/other (server_overload)",
    "mock/model",
    "mock/model",
  ]);
  await expectAsRecorded(made, [5, 0, 0]);
});

test("a budget that ended the run after the promotion", async () => {
  const look = (callId: string) => toolAnswer(call(callId, "todo_read", {}));
  const made = await record([counted(look("c1"), 80_000), counted(look("c2"), 20_000), textAnswer("Never.")]);
  await made.prompt("Look.", { tokensMax: 90_000 });
  expect(await lastEnd(made)).toMatchObject({ reason: "error_max_budget", turns: 2 });
  expect(await models(made)).toEqual(["mock/model", "mock/large (context)"]);
  await expectAsRecorded(made, [2, 2, 0]);
});
