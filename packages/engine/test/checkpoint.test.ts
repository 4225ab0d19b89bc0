/** Checkpoints: the conversation goes back to them with a report, and a model that forgets one is reminded. */
import {
  applyRecord,
  emptySession,
  type Fact,
  type FactRecord,
  type Message,
  type ModelEvent,
  type Provider,
  type SessionState,
  type Store,
  type Tool,
} from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { createScriptedProvider } from "@kedge/testing";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type HarnessOptions, say } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

const mark: Tool = {
  ...createTool({ name: "mark", concurrencySafe: false }),
  run: async (input, { checkpoints }) => {
    await checkpoints.open((input as { goal: string }).goal);
    return { output: "marked", title: "" };
  },
};

const goBack: Tool = {
  ...createTool({ name: "back", concurrencySafe: false }),
  run: async (input, { checkpoints }) => {
    await checkpoints.rewind((input as { report: string }).report);
    return { output: `from ${checkpoints.current()?.goal}`, title: "" };
  },
};

const open = (callId: string): ModelEvent => call(callId, "mark", { goal: "find it" });
const back = (callId: string): ModelEvent => call(callId, "back", { report: "it is in a.ts" });
const look = (callId: string): ModelEvent => call(callId, "look", { callId });
const allowAll: HarnessOptions["rules"] = [
  { source: "user", rules: [{ permission: "*", pattern: "*", action: "allow" }] },
];

function setUp(options: HarnessOptions) {
  const files = new Map<string, string>();
  const write = createTool({
    name: "write",
    readOnly: false,
    run: async (input) => {
      const { path, text } = input as { path: string; text?: string };
      if (text === undefined) files.delete(path);
      else files.set(path, text);
      return { output: "ok", title: path };
    },
  });
  const snapshots = mapSnapshots(files);
  const tools = [mark, goBack, write, createTool({ name: "look" })];
  return { files, harness: createHarness({ tools, snapshots, rules: allowAll ?? [], ...options }) };
}

async function stateOf(store: Store, sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
  return state;
}

const usage = { input: 100, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const cost = { usd: 0.00015, estimated: false };

function stepFacts(turn: number, content: readonly object[], between: readonly Fact[] = []): readonly unknown[] {
  const stepId = `stp_${turn}`;
  return [
    {
      type: "step.started",
      stepId,
      runId: "run_1",
      turn,
      source: "main",
      model: "mock/model",
      requestId: expect.any(String),
      prompts: turn === 1 ? [{ promptId: "prm_1", form: "prompt" }] : [],
      reminders: [],
    },
    {
      type: "step.ended",
      stepId,
      outcome: "answered",
      content,
      usage,
      cost,
      stopReason: "tool-calls",
      durationMs: expect.any(Number),
    },
    ...between,
  ];
}

function callFacts(stepId: string, block: Readonly<Record<string, string>>, output: string): readonly unknown[] {
  const { callId, tool, inputText } = block;
  return [
    {
      type: "tool.started",
      callId,
      stepId,
      tool,
      inputText,
      readOnly: true,
      decision: { behavior: "allow", source: "rule", reason: expect.any(String), rules: expect.any(Array) },
    },
    { type: "tool.ended", callId, stepId, tool, outcome: "completed", output, title: "", phases: expect.any(Object) },
  ];
}

test("from the mark to the report: every fact, and what the model sees before and after", async () => {
  const { harness } = setUp({ turns: [calls(open("a")), calls(back("b")), say("Fixed.")] });
  await harness.prompt(await harness.open(), "go");
  const marking = { type: "tool-call", callId: "a", tool: "mark", inputText: '{"goal":"find it"}' } as const;
  const leaving = { type: "tool-call", callId: "b", tool: "back", inputText: '{"report":"it is in a.ts"}' } as const;
  const [started, ended] = callFacts("stp_1", marking, "marked");
  expect(harness.facts()).toEqual([
    { type: "prompt.admitted", promptId: "prm_1", runId: "run_1", delivery: "steer", text: "go" },
    ...stepFacts(1, [marking]),
    started,
    { type: "checkpoint.opened", callId: "a", stepId: "stp_1", goal: "find it" },
    ended,
    ...stepFacts(2, [leaving]),
    ...callFacts("stp_2", leaving, "from find it"),
    { type: "conversation.rewound", stepId: "stp_2", report: "it is in a.ts", files: [] },
    stepFacts(3, [])[0],
    expect.objectContaining({ type: "step.ended", content: [{ type: "text", text: "Fixed." }] }),
    expect.objectContaining({ type: "run.ended", transitions: ["tool_results", "tool_results"], text: "Fixed." }),
  ]);
  const kept: readonly Message[] = [
    { role: "user", text: "go" },
    { role: "assistant", model: "mock/model", content: [marking] },
    { role: "tool", callId: "a", tool: "mark", output: "marked", isError: false },
  ];
  expect(harness.requests[1]?.messages).toEqual(kept);
  expect(harness.requests[2]?.messages).toEqual([
    ...kept,
    {
      role: "user",
      text: expect.stringMatching(/^<system-reminder>\n[\s\S]*\nit is in a\.ts\nNo files were changed meanwhile\./),
    },
  ]);
  expect(harness.signals().filter(({ type }) => type === "notice")).toEqual([]);
});

test("a report names the files that changed since, also those of its own step, and not those before", async () => {
  const { harness } = setUp({
    turns: [
      calls(call("w0", "write", { path: "before", text: "0" }), open("a")),
      calls(call("w1", "write", { path: "new", text: "1" }), call("w2", "write", { path: "gone", text: "1" })),
      calls(call("w3", "write", { path: "new", text: "2" }), call("w4", "write", { path: "gone" })),
      calls(back("b"), call("w5", "write", { path: "before", text: "1" })),
      say("Done."),
    ],
  });
  await harness.prompt(await harness.open(), "go");
  expect(await harness.waitForFact("conversation.rewound")).toEqual({
    type: "conversation.rewound",
    stepId: "stp_4",
    report: "it is in a.ts",
    files: [
      { path: "new", status: "added" },
      { path: "before", status: "modified" },
    ],
  });
  expect(harness.requests[4]?.messages.at(-1)).toMatchObject({
    text: expect.stringContaining("Changed files: added new, modified before."),
  });
});

test("a request after the way back is a new list, and grows from there again", async () => {
  const script = [calls(open("a")), calls(look("l")), calls(back("b")), calls(look("m")), say("Done.")];
  const scripted = createScriptedProvider(script);
  const lists: (readonly Message[])[] = [];
  const provider: Provider = {
    stream(request, signal) {
      lists.push(request.messages);
      return scripted.stream(request, signal);
    },
  };
  const { harness } = setUp({ provider });
  await harness.prompt(await harness.open(), "go");
  expect(lists.map((list) => lists.indexOf(list))).toEqual([0, 0, 0, 3, 3]);
  const [, , , afterwards, grown] = scripted.requests;
  expect(grown?.messages.slice(0, afterwards?.messages.length)).toEqual(afterwards?.messages);
});

test("what the user says meanwhile stays, and a discarded checkpoint is not gone back to", async () => {
  const gate = Promise.withResolvers<void>();
  const wait = createTool({
    name: "wait",
    run: async () => {
      await gate.promise;
      return { output: "waited", title: "" };
    },
  });
  const turns = [calls(open("a")), calls(call("w", "wait", {})), calls(back("b")), say("Done.")];
  const { harness } = setUp({ tools: [mark, goBack, wait], turns });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await harness.waitForFact("tool.started", 2);
  await harness.submit(sessionId, "look in b.ts too");
  gate.resolve();
  await done;
  const texts = harness.requests[3]?.messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
  expect(texts).toEqual(["go", expect.stringContaining("look in b.ts too"), expect.stringContaining("it is in a.ts")]);

  const other = setUp({ tools: [mark, goBack, wait], turns }).harness;
  const otherId = await other.open();
  const otherDone = other.prompt(otherId, "go");
  await other.waitForFact("checkpoint.opened");
  expect(await other.engine.send({ type: "checkpoint.discard", sessionId: otherId })).toEqual({
    ok: true,
    value: { goal: "find it" },
  });
  await otherDone;
  expect(other.facts().some(({ type }) => type === "conversation.rewound")).toBe(false);
  expect(await other.engine.send({ type: "checkpoint.discard", sessionId: otherId })).toMatchObject({
    ok: false,
    failure: { code: "not_found" },
  });
});

test("a model that stops without a report is reminded three times; then the user is told and may discard", async () => {
  const { harness } = setUp({ turns: [calls(open("a")), say("1"), say("2"), say("3"), say("4"), say("5")] });
  const sessionId = await harness.open();
  const ended = await harness.prompt(sessionId, "go");
  expect(ended.fact).toMatchObject({
    reason: "completed",
    text: "4",
    transitions: ["tool_results", "checkpoint_open", "checkpoint_open", "checkpoint_open"],
  });
  const reminders = harness.facts().flatMap((fact) => (fact.type === "step.started" ? [fact.reminders] : []));
  const reminder = expect.stringMatching(/Its goal: find it\nWhen you know enough, call rewind/);
  expect(reminders).toEqual([[], [], [reminder], [reminder], [reminder]]);
  expect(harness.signals().filter(({ type }) => type === "notice")).toEqual([
    { type: "notice", sessionId, text: expect.stringMatching(/checkpoint \(find it\).*\/checkpoint discard/) },
  ]);
  await harness.engine.send({ type: "checkpoint.discard", sessionId });
  expect(harness.facts().at(-1)).toEqual({ type: "checkpoint.discarded" });
  expect((await harness.prompt(sessionId, "more")).fact).toMatchObject({ text: "5", transitions: [] });
});

test("each checkpoint has reminders of its own", async () => {
  const { harness } = setUp({
    turns: [
      ...[calls(open("a")), say("1"), say("2"), say("3"), calls(back("b"))],
      ...[calls(open("c")), say("4"), calls(back("d")), say("5")],
    ],
  });
  const ended = await harness.prompt(await harness.open(), "go");
  expect(ended.fact).toMatchObject({ reason: "completed", text: "5", turns: 9 });
});

test.each([
  [{ stepsMax: 3 }, { reason: "completed", text: "1", turns: 2 }],
  [{ turnsMax: 2 }, { reason: "completed", text: "1", turns: 2 }],
])("no reminder where no further step could follow it: %j", async (options, result) => {
  const { harness } = setUp({ turns: [calls(open("a")), say("1"), say("2")] });
  const ended = await harness.prompt(await harness.open(), "go", options);
  expect(ended.fact).toMatchObject(result);
  expect(harness.signals().filter(({ type }) => type === "notice")).toHaveLength(1);
});

test("after a restart the checkpoint is still open, and the way back leads to the same place", async () => {
  const { harness } = setUp({ turns: [calls(open("a")), calls(look("l")), say("1"), say("2"), say("3"), say("4")] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  await harness.engine.close();
  const later = setUp({
    store: harness.store,
    boot: "boot-2",
    turns: [say("5"), calls(back("b")), say("Done.")],
  }).harness;
  await later.resume(sessionId);
  const ended = await later.prompt(sessionId, "and now");
  expect(ended.fact).toMatchObject({ text: "Done.", transitions: ["checkpoint_open", "tool_results"] });
  expect(later.requests[2]?.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "user",
  ]);
  expect(later.requests[2]?.messages.at(-2)).toEqual({ role: "user", text: "and now" });
});

test("undo and redo across the stretch that went away bring back exactly what there was", async () => {
  const { files, harness } = setUp({
    turns: [
      ...[calls(call("w0", "write", { path: "x", text: "0" }), open("a")), say("1"), say("2"), say("3"), say("4")],
      ...[calls(call("w1", "write", { path: "x", text: "1" })), calls(back("b")), say("Done.")],
      ...[calls(open("c")), calls(call("w2", "write", { path: "x", text: "2" })), calls(back("d")), say("Again.")],
    ],
  });
  const sessionId = await harness.open();
  const seen = async () => {
    const { items, checkpoint, undoPoints } = await stateOf(harness.store, sessionId);
    return structuredClone({
      items,
      checkpoint,
      prompts: undoPoints.map(({ promptId }) => promptId),
      files: [...files],
    });
  };
  const states = [await seen()];
  for (const text of ["first", "second", "third"]) {
    await harness.prompt(sessionId, text);
    states.push(await seen());
  }
  expect(states.map(({ checkpoint }) => checkpoint?.goal)).toEqual([undefined, "find it", undefined, undefined]);
  expect(states.map(({ items }) => items.filter(({ type }) => type === "report").length)).toEqual([0, 0, 1, 2]);
  for (const before of [2, 1, 0]) {
    expect(await harness.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: true });
    expect(await seen()).toEqual(states[before]);
  }
  for (const after of [1, 2, 3]) {
    expect(await harness.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
    expect(await seen()).toEqual(states[after]);
  }
  for (const _ of [2, 1]) await harness.engine.send({ type: "session.undo", sessionId });
  expect((await harness.prompt(sessionId, "another way")).fact).toMatchObject({
    transitions: Array(3).fill("checkpoint_open"),
  });
});

test("killed after each fact, the checkpoint is open from its fact to the way back, and calls keep their results", async () => {
  const { harness } = setUp({ turns: [calls(open("a"), look("l")), calls(look("m")), calls(back("b")), say("Done.")] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  const records: FactRecord[] = [];
  for await (const record of harness.store.read(sessionId, 0)) records.push(record);
  const types = records.map(({ fact }) => fact.type);
  const [opened, left] = [types.indexOf("checkpoint.opened"), types.indexOf("conversation.rewound")];
  for (let kept = 2; kept <= records.length; kept += 1) {
    const store = createMemoryStore({
      now: () => 1000,
      randomBytes: (size) => new Uint8Array(size),
      isAlive: () => false,
    });
    await store.acquireLease(sessionId, { boot: "boot-1", pid: 1, startedAt: "0" });
    for (const { fact } of records.slice(0, kept))
      await store.append(sessionId, [fact], { boot: "boot-1", durable: false });
    const later = setUp({ store, boot: "boot-2", turns: [calls(back("z")), say("Resumed.")] }).harness;
    await later.resume(sessionId);
    await later.prompt(sessionId, "go on");
    const wasOpen = kept > opened && kept <= left;
    expect(later.facts().some(({ type }) => type === "conversation.rewound")).toBe(wasOpen);
    const messages = later.requests[1]?.messages ?? [];
    const called = messages.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))
        : [],
    );
    expect(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []))).toEqual(called);
    expect(messages[0]).toEqual({ role: "user", text: "go" });
    expect(messages.filter((message) => message.role === "user" && message.text === "go on")).toHaveLength(1);
  }
});
