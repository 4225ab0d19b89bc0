/** A prompt, its answer and its tool calls, as the entire list of facts. */
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, end, say } from "./harness.ts";

const usage = { input: 100, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const cost = { usd: 0.00015, estimated: false };

test("a plain answer", async () => {
  const harness = createHarness({ turns: [say("Hello.")] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "Hi");
  expect(harness.facts()).toEqual([
    { type: "prompt.admitted", promptId: "prm_1", runId: "run_1", delivery: "steer", text: "Hi" },
    {
      type: "step.started",
      stepId: "stp_1",
      runId: "run_1",
      turn: 1,
      source: "main",
      model: "mock/model",
      requestId: "00000000-0000-4000-8000-000000000001",
      prompts: [{ promptId: "prm_1", form: "prompt" }],
      reminders: [],
    },
    {
      type: "step.ended",
      stepId: "stp_1",
      outcome: "answered",
      content: [{ type: "text", text: "Hello." }],
      usage,
      cost,
      stopReason: "end",
      durationMs: expect.any(Number),
    },
    {
      type: "run.ended",
      runId: "run_1",
      reason: "completed",
      text: "Hello.",
      usage,
      usageByModel: { "mock/model": usage },
      cost,
      turns: 1,
      durationMs: expect.any(Number),
      transitions: [],
      denials: [],
      stopReason: "end",
    },
  ]);
  expect(harness.signals()).toEqual([{ type: "text.delta", sessionId, stepId: "stp_1", text: "Hello." }]);
});

test("a tool turn: the read-only call runs before the answer has ended, and its result is in the next request", async () => {
  const harness = createHarness({
    turns: [calls(call("c1", "look", { at: 1 })), say("Seen.")],
    tools: [createTool({ name: "look", permission: "read" })],
  });
  const sessionId = await harness.open();
  const ended = await harness.prompt(sessionId, "Look");
  expect(harness.facts().map((fact) => fact.type)).toEqual([
    "prompt.admitted",
    "step.started",
    "tool.started",
    "tool.ended",
    "step.ended",
    "step.started",
    "step.ended",
    "run.ended",
  ]);
  expect(harness.facts()[2]).toEqual({
    type: "tool.started",
    callId: "c1",
    stepId: "stp_1",
    tool: "look",
    inputText: '{"at":1}',
    readOnly: true,
    decision: { behavior: "allow", source: "default", reason: expect.any(String), rules: [] },
  });
  expect(harness.facts()[3]).toEqual({
    type: "tool.ended",
    callId: "c1",
    stepId: "stp_1",
    tool: "look",
    outcome: "completed",
    output: 'look {"at":1}',
    title: "look",
    phases: { permission: expect.any(Number), record: expect.any(Number), execute: expect.any(Number) },
  });
  expect(ended.fact).toMatchObject({ reason: "completed", text: "Seen.", turns: 2, transitions: ["tool_results"] });
  expect(harness.requests[1]?.messages).toEqual([
    { role: "user", text: "Look" },
    {
      role: "assistant",
      model: "mock/model",
      content: [{ type: "tool-call", callId: "c1", tool: "look", inputText: '{"at":1}' }],
    },
    { role: "tool", callId: "c1", tool: "look", output: 'look {"at":1}', isError: false },
  ]);
});

test("a call with side effects starts only after the answer is stored", async () => {
  const harness = createHarness({
    turns: [calls(call("c1", "change", {})), say("Done.")],
    tools: [createTool({ name: "change", readOnly: false, permission: "edit" })],
    rules: [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }],
  });
  await harness.prompt(await harness.open(), "Change");
  const types = harness.facts().map((fact) => fact.type);
  expect(types.indexOf("tool.started")).toBeGreaterThan(types.indexOf("step.ended"));
});

test("twenty tool turns keep their order and every request repeats the one before", async () => {
  const turns = Array.from({ length: 20 }, (_, index) => calls(call(`c${index}`, "look", { index })));
  const harness = createHarness({
    turns: [...turns, say("End.")],
    tools: [createTool({ name: "look", permission: "read" })],
  });
  const ended = await harness.prompt(await harness.open(), "Go");
  expect(ended.fact).toMatchObject({ turns: 21, text: "End." });
  for (const [index, request] of harness.requests.entries()) {
    const before = harness.requests[index - 1]?.messages ?? [];
    expect(request.messages.slice(0, before.length)).toEqual(before);
    expect(request.messages.length).toBe(1 + index * 2);
  }
});

test("what a model asks for wrongly comes back as a readable failure", async () => {
  const harness = createHarness({
    turns: [
      calls(
        call("c1", "lok", {}),
        { type: "tool-call", call: { type: "tool-call", callId: "c2", tool: "look", inputText: "{broken}" } },
        call("c3", "strict", {}),
        call("c4", "never", {}),
        call("c5", "throws", {}),
        {
          type: "tool-call",
          call: { type: "tool-call", callId: "c6", tool: "look", inputText: "{", incomplete: true },
        },
        call("c7", "LOOK", {}),
        call("c8", "empty", {}),
      ),
      say("Sorry."),
    ],
    tools: [
      createTool({ name: "look", permission: "read" }),
      createTool({ name: "strict", permission: "read", required: ["path"] }),
      createTool({ name: "never", permission: "read", validate: async () => "The file is gone." }),
      createTool({
        name: "throws",
        permission: "read",
        run: async () => {
          throw new Error("password hunter2 was wrong");
        },
      }),
      createTool({ name: "empty", permission: "read", run: async () => ({ output: "", title: "empty" }) }),
    ],
  });
  await harness.prompt(await harness.open(), "Go");
  expect(harness.requests[1]?.messages.slice(2)).toEqual([
    expect.objectContaining({ callId: "c1", isError: true, output: expect.stringMatching(/no tool named lok.*look/) }),
    expect.objectContaining({ callId: "c2", isError: true, output: expect.stringContaining("not valid JSON") }),
    expect.objectContaining({ callId: "c3", isError: true, output: "path: required" }),
    expect.objectContaining({ callId: "c4", isError: true, output: "The file is gone." }),
    expect.objectContaining({ callId: "c5", isError: true, output: "password [REDACTED:password] was wrong" }),
    expect.objectContaining({ callId: "c6", isError: true, output: expect.stringContaining("cut off") }),
    expect.objectContaining({ callId: "c7", isError: false }),
    expect.objectContaining({ callId: "c8", isError: false, output: "(no output)" }),
  ]);
});

test("a failed model call ends the run with its failure, and the next prompt goes on", async () => {
  const failure = { code: "bad_request", message: "It broke near hunter2.", retryable: false } as const;
  const harness = createHarness({
    turns: [
      [
        { type: "text-delta", text: "Wel" },
        { type: "failed", failure },
      ],
      say("Now."),
    ],
  });
  const sessionId = await harness.open();
  const first = await harness.prompt(sessionId, "One");
  expect(first.fact).toMatchObject({
    reason: "error_during_execution",
    failure: { ...failure, message: "It broke near [REDACTED:password]." },
  });
  const second = await harness.prompt(sessionId, "Two");
  expect(second.fact).toMatchObject({ reason: "completed", text: "Now." });
  expect(harness.requests[1]?.messages).toEqual([
    { role: "user", text: "One" },
    { role: "user", text: "Two" },
  ]);
});

test("a purely local command runs without a model", async () => {
  const harness = createHarness({ turns: [] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "/hello world");
  expect(harness.facts()).toEqual([
    { type: "command.ran", command: "/hello", text: "hello world" },
    expect.objectContaining({ type: "run.ended", reason: "completed", turns: 0, text: "hello world" }),
  ]);
  expect(harness.requests).toEqual([]);
});

test("a command that stands for a prompt is admitted as that prompt", async () => {
  const localCommands = [
    { name: "init", summary: "x", run: async (wish: string) => ({ prompt: `Look around. ${wish}` }) },
  ];
  const harness = createHarness({ turns: [say("Fine.")], parts: { localCommands } });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "/init be brief");
  expect(harness.facts().find(({ type }) => type === "prompt.admitted")).toMatchObject({
    text: "Look around. be brief",
  });
  expect(harness.facts().at(-1)).toMatchObject({ type: "run.ended", text: "Fine." });
});

test("an unknown model ends the run with one sentence", async () => {
  const harness = createHarness({});
  const answer = await harness.engine.send({ type: "session.create", mode: "default", model: "mock/nobody" });
  if (!answer.ok) throw new Error("not created");
  const ended = Promise.withResolvers<unknown>();
  harness.engine.subscribe(answer.value.sessionId, (event) => {
    if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve(event.record.fact);
  });
  await harness.submit(answer.value.sessionId, "Hi");
  expect(await ended.promise).toMatchObject({
    reason: "error_during_execution",
    failure: { code: "invalid_model", message: "model mock/nobody not found." },
  });
});

test("an answer that streams for long is stored piece by piece", async () => {
  let milliseconds = 0;
  const harness = createHarness({
    turns: [
      [
        { type: "text-delta", text: "a" },
        { type: "text-delta", text: "b" },
        { type: "text-delta", text: "c" },
        end("end"),
      ],
    ],
    parts: { clock: { now: () => 1000, monotonicMs: () => (milliseconds += 300) } },
  });
  await harness.prompt(await harness.open(), "Hi");
  const progress = harness.facts().filter((fact) => fact.type === "step.progressed");
  expect(progress).toEqual([{ type: "step.progressed", stepId: "stp_1", appended: [{ type: "text", text: "ab" }] }]);
  expect(harness.facts().find((fact) => fact.type === "step.ended")).toMatchObject({
    content: [{ type: "text", text: "abc" }],
  });
});
