/** Proves what a run does about answers that fail, break off, are cut off or say nothing. */
import type { Failure, FailureCode, ModelEvent, RunOptions } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, end, type Harness, type HarnessOptions, say } from "./harness.ts";

const text = (delta: string): ModelEvent => ({ type: "text-delta", text: delta });
const failed = (code: FailureCode, retryable: boolean): ModelEvent => ({
  type: "failed",
  failure: failure(code, retryable),
});
const failure = (code: FailureCode, retryable: boolean): Failure => ({ code, message: `It was ${code}.`, retryable });
const broken: readonly ModelEvent[] = [text("Half an ans"), failed("stale_connection", true)];

async function run(options: HarnessOptions, runOptions: RunOptions = {}): Promise<Harness> {
  const harness = createHarness(options);
  await harness.prompt(await harness.open(), "Begin", runOptions);
  return harness;
}

/** Each step in short: its model, how it ended, and what the conversation kept of it. */
function steps(harness: Harness): readonly string[] {
  const models = harness.facts().flatMap((fact) => (fact.type === "step.started" ? [fact.model] : []));
  const ends = harness.facts().flatMap((fact) => (fact.type === "step.ended" ? [fact.outcome] : []));
  return ends.map((outcome, index) => `${models[index]} ${outcome}`);
}

function result(harness: Harness) {
  return harness.facts().find((fact) => fact.type === "run.ended");
}

const limits = (harness: Harness) => harness.requests.map((request) => request.outputTokensMax);

test("an answer cut off by the first limit is asked for again with a larger one, and leaves no trace", async () => {
  const harness = await run({
    outputTokensMax: 100_000,
    turns: [[text("Too lo"), end("output-limit")], say("Whole.")],
  });
  expect(limits(harness)).toEqual([8_000, 64_000]);
  expect(steps(harness)).toEqual(["mock/model failed", "mock/model answered"]);
  expect(harness.requests[1]?.messages).toEqual([{ role: "user", text: "Begin" }]);
  expect(result(harness)).toMatchObject({
    reason: "completed",
    text: "Whole.",
    transitions: ["output_escalate"],
    usage: { input: 200, output: 20 },
  });
});

test("a call of an answer that is asked for again never runs", async () => {
  const ran: unknown[] = [];
  const change = createTool({
    name: "change",
    readOnly: false,
    run: async (input) => {
      ran.push(input);
      return { output: "changed", title: "" };
    },
  });
  const harness = createHarness({
    outputTokensMax: 100_000,
    tools: [change],
    turns: [[call("a", "change", { n: 1 }), end("output-limit")], calls(call("b", "change", { n: 2 })), say("Done.")],
  });
  await harness.prompt(await harness.open("bypass"), "Begin");
  expect(ran).toEqual([{ n: 2 }]);
  expect(result(harness)).toMatchObject({ reason: "completed", transitions: ["output_escalate", "tool_results"] });
});

test("an answer that stays too long is resumed at most three times, and its pieces are one text", async () => {
  const cut = (piece: string): readonly ModelEvent[] => [text(piece), end("output-limit")];
  const harness = await run({ turns: [cut("one "), cut("two "), cut("three "), say("four")] });
  expect(limits(harness)).toEqual([8_000, 8_000, 8_000, 8_000]);
  expect(result(harness)).toMatchObject({
    reason: "completed",
    text: "one two three four",
    transitions: ["output_resume", "output_resume", "output_resume"],
  });
  expect(harness.requests[1]?.messages).toEqual([
    { role: "user", text: "Begin" },
    { role: "assistant", model: "mock/model", content: [{ type: "text", text: "one " }] },
    { role: "user", text: expect.stringContaining("cut off by the output limit") },
  ]);
  const endless = await run({ turns: [cut("1"), cut("2"), cut("3"), cut("4"), say("never")] });
  expect(result(endless)).toMatchObject({
    reason: "error_during_execution",
    text: "1234",
    failure: { code: "max_output_tokens" },
  });
});

test("an answer that broke off after its beginning was seen begins anew, and only the new one counts", async () => {
  const harness = await run({ turns: [broken, say("A whole answer.")] });
  expect(steps(harness)).toEqual(["mock/model failed", "mock/model answered"]);
  expect(harness.requests[1]?.messages).toEqual([{ role: "user", text: "Begin" }]);
  expect(result(harness)).toMatchObject({ text: "A whole answer.", transitions: ["stream_restart"] });
});

test("what keeps breaking off ends the run", async () => {
  const harness = await run({ turns: [broken, broken, broken, broken, say("never")] });
  expect(steps(harness)).toEqual(Array.from({ length: 4 }, () => "mock/model failed"));
  expect(result(harness)).toMatchObject({
    reason: "error_during_execution",
    failure: { code: "stale_connection" },
    transitions: ["stream_restart", "stream_restart", "stream_restart"],
  });
});

test("a result that was produced for a broken answer is not shown to the model, and its call may come again", async () => {
  const look = createTool({ name: "look" });
  const harness = createHarness({
    tools: [look],
    turns: [[call("a", "look", {}), failed("stale_connection", true)], calls(call("a", "look", {})), say("Seen.")],
  });
  await harness.prompt(await harness.open("bypass"), "Begin");
  expect(harness.requests[1]?.messages).toEqual([{ role: "user", text: "Begin" }]);
  expect(harness.requests[2]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
  expect(result(harness)).toMatchObject({ text: "Seen.", transitions: ["stream_restart", "tool_results"] });
});

test.each(["repeated_overload", "server_error", "connection_error", "api_timeout"] as const)(
  "after %s the run goes on with the fallback model, once, and the next run starts with its own again",
  async (code) => {
    const harness = createHarness({ turns: [[failed(code, true)], say("From the other."), say("Back.")] });
    const sessionId = await harness.open();
    await harness.prompt(sessionId, "Begin", { fallbackModel: "mock/other" });
    await harness.prompt(sessionId, "Again", { fallbackModel: "mock/other" });
    expect(steps(harness)).toEqual(["mock/model failed", "mock/other answered", "mock/model answered"]);
    const started = harness.facts().filter((fact) => fact.type === "step.started");
    expect(started.map((fact) => fact.fallback)).toEqual([undefined, { from: "mock/model", reason: code }, undefined]);
    expect(result(harness)).toMatchObject({
      transitions: ["model_fallback"],
      usageByModel: { "mock/other": { input: 100 } },
    });
    expect(harness.signals().filter((signal) => signal.type === "notice")).toMatchObject([
      { text: `mock/model is unavailable (${code}). Continuing this run with mock/other.` },
    ]);
  },
);

test("two answers in a row that broke off lead to the fallback model", async () => {
  const harness = await run({ turns: [broken, broken, say("There.")] }, { fallbackModel: "mock/other" });
  expect(steps(harness)).toEqual(["mock/model failed", "mock/model failed", "mock/other answered"]);
  expect(result(harness)).toMatchObject({ transitions: ["stream_restart", "model_fallback"] });
});

test.each(["invalid_api_key", "bad_request", "policy_refusal", "credit_too_low"] as const)(
  "%s never leads to another model",
  async (code) => {
    const harness = await run({ turns: [[failed(code, false)], say("never")] }, { fallbackModel: "mock/other" });
    expect(steps(harness)).toEqual(["mock/model failed"]);
    expect(result(harness)).toMatchObject({ reason: "error_during_execution", failure: failure(code, false) });
  },
);

test("a fallback model that does not exist is named, and the first failure stands", async () => {
  const harness = await run({ turns: [[failed("server_error", true)]] }, { fallbackModel: "mock/nobody" });
  expect(result(harness)).toMatchObject({ failure: { code: "server_error" } });
  expect(harness.signals().filter((signal) => signal.type === "notice")).toMatchObject([
    { text: "The fallback model is unavailable: model mock/nobody not found." },
  ]);
});

test("an empty answer is asked for once more, a second one ends the run and says so", async () => {
  const mended = await run({ turns: [[end("end")], say("Sorry, done.")] });
  expect(result(mended)).toMatchObject({ text: "Sorry, done.", transitions: ["unexpected_stop"] });
  expect(mended.requests[1]?.messages).toEqual([
    { role: "user", text: "Begin" },
    { role: "user", text: expect.stringContaining("was empty") },
  ]);
  const silent = await run({ turns: [[end("end")], [end("end")]] });
  expect(result(silent)).toMatchObject({ reason: "completed", emptyAnswer: true, transitions: ["unexpected_stop"] });
});

test("a refusal without a word ends in a failure of its own", async () => {
  const refused: ModelEvent = { ...endOf("refused") };
  const harness = await run({ turns: [[refused]] });
  expect(result(harness)).toMatchObject({ reason: "error_during_execution", failure: { code: "policy_refusal" } });
  const worded = await run({ turns: [[text("I cannot."), refused]] });
  expect(result(worded)).toMatchObject({ reason: "completed", text: "I cannot.", stopReason: "refused" });
});

test("a pause of the vendor is continued with what it answered so far, at most five times", async () => {
  const search = { type: "vendor", kind: "server_tool_use", json: '{"type":"server_tool_use"}' } as const;
  const paused: readonly ModelEvent[] = [text("x"), { type: "vendor-block", block: search }, endOf("paused")];
  const harness = await run({ turns: [paused, say("y")] });
  expect(harness.requests[1]?.messages).toEqual([
    { role: "user", text: "Begin" },
    { role: "assistant", model: "mock/model", content: [{ type: "text", text: "x" }, search] },
  ]);
  expect(result(harness)).toMatchObject({ text: "xy", transitions: ["server_pause"] });
  const endless = await run({ turns: Array.from({ length: 9 }, () => paused) });
  expect(steps(endless)).toHaveLength(6);
  expect(result(endless)).toMatchObject({ reason: "completed", text: "xxxxxx" });
});

test("a rejected picture is taken out and named, once", async () => {
  const picture = { name: "shot.png", mediaType: "image/png", base64: "AAAA" };
  const harness = createHarness({ turns: [[failed("image_too_large", false)], say("Without it.")] });
  const sessionId = await harness.open();
  const options: RunOptions = {};
  await harness.engine.send({
    type: "prompt.submit",
    sessionId,
    text: "What is this?",
    attachments: [picture],
    delivery: "steer",
    options,
  });
  await harness.waitForFact("run.ended");
  expect(harness.requests.map((request) => request.messages)).toEqual([
    [{ role: "user", text: "What is this?", media: [picture] }],
    [{ role: "user", text: "What is this?\n[shot.png (image/png, 1 KB) is not shown]" }],
  ]);
  expect(result(harness)).toMatchObject({ text: "Without it.", transitions: ["media_strip"] });
  const plain = await run({ turns: [[failed("image_too_large", false)]] });
  expect(result(plain)).toMatchObject({ failure: { code: "image_too_large" } });
});

test("attempts behind a step are shown live and stored with it", async () => {
  const retrying: ModelEvent = {
    type: "retrying",
    attempt: 1,
    attemptsMax: 10,
    delayMs: 500,
    failure: { ...failure("server_overload", true), status: 529, message: "Key hunter2 is busy." },
  };
  const cacheBreak = { cause: "the system prompt changed", tokensLost: 5000, usd: 0.01 };
  const harness = await run({
    turns: [
      [
        retrying,
        { type: "stalled", idleMs: 45_000 },
        { type: "notice", text: "90 % of hunter2 is used." },
        text("Hi."),
        { ...endOf("end"), cacheBreak },
      ],
    ],
  });
  expect(harness.facts().find((fact) => fact.type === "step.ended")).toMatchObject({
    retries: [{ attempt: 1, code: "server_overload", status: 529, delayMs: 500 }],
    cacheBreak,
  });
  const sessionId = "ses_1";
  expect(harness.signals().filter(({ type }) => type !== "text.delta")).toEqual([
    {
      type: "step.retrying",
      sessionId,
      stepId: "stp_1",
      attempt: 1,
      attemptsMax: 10,
      delayMs: 500,
      until: expect.any(Number),
      failure: { ...failure("server_overload", true), status: 529, message: "Key [REDACTED:password] is busy." },
    },
    { type: "step.stalling", sessionId, stepId: "stp_1", idleMs: 45_000 },
    { type: "notice", sessionId, text: "90 % of [REDACTED:password] is used." },
  ]);
});

function endOf(stopReason: "end" | "refused" | "paused") {
  return { ...end("end"), stopReason } as Extract<ModelEvent, { type: "end" }>;
}

test("a search at the vendor is named only where the model has it and a rule allows it without a question", async () => {
  const rules = [{ source: "user", rules: [{ permission: "websearch", pattern: "*", action: "allow" }] }] as const;
  const named = async (options: HarnessOptions) =>
    (await run({ turns: [say("x")], ...options })).requests[0]?.serverTools;
  expect(await named({ rules, webSearch: true })).toEqual([{ name: "web_search", usesMax: 5 }]);
  expect(await named({ rules, webSearch: false })).toBeUndefined();
  expect(await named({ rules: [], webSearch: true })).toBeUndefined();
});

test("a model that thinks gets the larger limit from the start, unless it is told not to", async () => {
  const first = async (options: HarnessOptions, runOptions: RunOptions = {}) =>
    limits(await run({ outputTokensMax: 100_000, turns: [say("x")], ...options }, runOptions))[0];
  expect(await first({ reasoning: "effort" })).toBe(64_000);
  expect(await first({ reasoning: "effort" }, { reasoning: { effort: "off" } })).toBe(8_000);
  expect(await first({ reasoning: "effort" }, { reasoning: { tokensMax: 0 } })).toBe(8_000);
  expect(await first({ reasoning: "none" }, { reasoning: { effort: "high" } })).toBe(8_000);
});

test("a model that knows no tools is told of none", async () => {
  const tools = [createTool({ name: "look" })];
  const offered = async (options: HarnessOptions) =>
    (await run({ turns: [say("x")], tools, ...options })).requests[0]?.tools.map(({ name }) => name);
  expect(await offered({})).toEqual(["look"]);
  expect(await offered({ withoutTools: true })).toEqual([]);
});
