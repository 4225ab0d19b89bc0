/** Proves that the state follows one session of an engine, and nothing but that. */
import { type Fact, noUsage, runWithoutSteps, type Signal, type ViewEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { idleActivity } from "./activity.ts";
import type { ClientState } from "./client-state.ts";
import { createSessionMirror, messagesPerPage } from "./session-mirror.ts";
import { createStateStore } from "./state-store.ts";
import { brokenStream, createToldEngine } from "./told-engine.fixture.ts";

const one = "ses_one";
const two = "ses_two";
const cost = { usd: 0.25, estimated: false };

const created: Fact = {
  ...{ type: "session.created", directory: "/work", projectId: "prj", model: "mock/one", mode: "default" },
  ...{ kedgeVersion: "0.0.0", boot: "boot" },
};

function admitted(promptId: string, runId = "run_1"): Fact {
  return { type: "prompt.admitted", promptId, runId, delivery: "follow-up", text: `Do ${promptId}.` };
}

function started(stepId: string, prompts: readonly string[] = [], reminders: readonly string[] = []): Fact {
  return {
    ...{ type: "step.started", stepId, runId: "run_1", turn: 1, source: "main", model: "mock/one", requestId: "req" },
    prompts: prompts.map((promptId) => ({ promptId, form: "prompt" as const })),
    reminders,
  };
}

function ended(stepId: string, content: Extract<Fact, { type: "step.ended" }>["content"]): Fact {
  return {
    ...{ type: "step.ended", stepId, outcome: "answered", content, usage: noUsage, cost, stopReason: "end" },
    durationMs: 1,
  };
}

const callBlock = { type: "tool-call", callId: "call_1", tool: "bash", inputText: "{}" } as const;
const runEnded: Fact = { type: "run.ended", runId: "run_1", ...runWithoutSteps("completed", "Done.") };
const callStarted: Fact = {
  ...{ type: "tool.started", callId: "call_1", stepId: "stp_81", tool: "bash", inputText: "{}", readOnly: false },
};
const callEnded: Fact = {
  ...{ type: "tool.ended", callId: "call_1", stepId: "stp_81", tool: "bash", outcome: "completed", output: "ok" },
  phases: {},
};
const permissionAsked: Fact = {
  ...{ type: "permission.asked", stepId: "stp_81", requestId: "per_1", callId: "call_1", tool: "bash" },
  ...{ permission: "bash", patterns: ["ls"], always: ["ls *"], reason: "No rule allows it.", preview: "ls" },
};
const permissionAnswered: Fact = {
  ...{ type: "permission.answered", requestId: "per_1", callId: "call_1", reply: "once", source: "user" },
  ...{ boot: "boot", grants: [] },
};
const questions = [{ question: "Which?", options: [{ label: "This", description: "" }] }];

function delta(text: string): Signal {
  return { type: "text.delta", sessionId: one, stepId: "stp_81", text };
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !(value instanceof Map) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

function setUp() {
  const engine = createToldEngine();
  const store = createStateStore<ClientState>({
    ...{ connection: "starting", directory: "/work", messages: [], hasOlder: false, tails: new Map(), notices: [] },
    ...{ requests: [], tasks: [], activity: idleActivity(0), isFocused: true },
  });
  const events: ViewEvent[] = [];
  const lost: string[] = [];
  let updates = 0;
  let time = 0;
  store.subscribe(
    (state) => state,
    (state) => {
      updates += 1;
      frozen(state);
    },
  );
  const mirror = createSessionMirror({
    ...{ client: engine.client, store },
    now: () => time,
    onEvent: (event) => events.push(event),
    onLost: (sentence) => lost.push(sentence),
  });
  return {
    ...{ engine, store, mirror, events, lost },
    state: store.get,
    updates: () => updates,
    setTime: (next: number) => {
      time = next;
    },
    texts: () =>
      store
        .get()
        .messages.map(
          ({ role, parts }) => `${role}: ${parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("|")}`,
        ),
  };
}

/** Frames pass through a stream and a batch; both are over after a few turns of the loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function opened(...facts: readonly Fact[]) {
  const bench = setUp();
  await bench.engine.emit(one, created, ...facts);
  await bench.mirror.open(one);
  return bench;
}

test("opening reads the page, the open requests and what runs", async () => {
  const asked: Fact = { type: "question.asked", requestId: "que_1", callId: "call_1", questions };
  const { state, texts, mirror } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [{ type: "text", text: "Hm." }, callBlock])],
    ...[permissionAsked, asked],
  );
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: Hm."]);
  const { connection, session, hasOlder, requests, activity } = state();
  expect([connection, session?.id, hasOlder, activity.kind]).toEqual(["ready", one, false, "permission"]);
  const { type: _, stepId: __, ...request } = permissionAsked as Extract<Fact, { type: "permission.asked" }>;
  expect(requests).toMatchObject([
    { kind: "permission", request, since: 0 },
    { kind: "question", requestId: "que_1", questions, since: 0 },
  ]);
  mirror.close();
});

test("what comes together is one change of the state, and a delta changes its message and the activity alone", async () => {
  const bench = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  const { engine, state, updates, texts, mirror } = bench;
  engine.signal(delta("Hel"));
  await settled();
  const before = state();
  const count = updates();
  for (const text of ["lo ", "wor", "ld"]) engine.signal(delta(text));
  await settled();
  expect(updates() - count).toBe(1);
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: Hello world"]);
  const after = state();
  expect(after.messages[0]).toBe(before.messages[0]);
  expect(after.messages[1]).not.toBe(before.messages[1]);
  const changed = Object.keys(after).filter(
    (key) => after[key as keyof ClientState] !== before[key as keyof ClientState],
  );
  expect(changed.sort()).toEqual(["activity", "messages"]);
  mirror.close();
});

test("a thousand messages are not gone through for every delta of a batch", async () => {
  const { engine, mirror, state, updates } = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  engine.signal(delta("x"));
  await settled();
  const count = updates();
  for (let index = 0; index < 2_000; index += 1) engine.signal(delta("x"));
  await settled();
  expect(updates() - count).toBeLessThanOrEqual(3);
  expect(state().messages.at(-1)?.parts.at(-1)).toMatchObject({ type: "text", text: "x".repeat(2_001) });
  mirror.close();
});

test("a permission is in the state from its question to its answer", async () => {
  const { engine, state, events, mirror, setTime } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [callBlock])],
  );
  setTime(5_000);
  await engine.emit(one, permissionAsked);
  await settled();
  const { type: _, stepId: __, ...request } = permissionAsked as Extract<Fact, { type: "permission.asked" }>;
  expect(state().requests).toEqual([{ kind: "permission", request, since: 5_000 }]);
  expect(state().activity.kind).toBe("permission");
  await engine.emit(one, permissionAnswered, callStarted);
  await settled();
  expect([state().requests, state().activity.kind, state().activity.tool]).toEqual([[], "running", "bash"]);
  expect(events.filter(({ type }) => type.startsWith("permission.")).map(({ type }) => type)).toEqual([
    "permission.asked",
    "permission.replied",
  ]);
  mirror.close();
});

test("a question is in the state from its asking to its answer", async () => {
  const { engine, state, mirror } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [callBlock]), callStarted],
  );
  await engine.emit(one, { type: "question.asked", requestId: "que_1", callId: "call_1", questions });
  await settled();
  expect(state().requests).toEqual([{ kind: "question", requestId: "que_1", questions, since: 0 }]);
  expect(state().activity.kind).toBe("question");
  await engine.emit(one, { type: "question.answered", requestId: "que_1", answers: ["This"] });
  await settled();
  expect([state().requests, state().activity.kind]).toEqual([[], "waiting"]);
  mirror.close();
});

test("a second request keeps the activity at waiting for the user", async () => {
  const { engine, state, mirror } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [callBlock]), permissionAsked],
    { ...permissionAsked, requestId: "per_2", callId: "call_2" } as Fact,
  );
  await engine.emit(one, permissionAnswered, callStarted);
  await settled();
  expect(state().requests).toMatchObject([{ request: { requestId: "per_2" } }]);
  expect(state().activity.kind).toBe("permission");
  mirror.close();
});

test("the tail of a call grows and goes with its end", async () => {
  const { engine, state, mirror } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [callBlock]), callStarted],
  );
  const progress = { type: "tool.progress", sessionId: one, callId: "call_1", stream: "stdout" } as const;
  engine.signal({ ...progress, count: 1, text: "first\nsec" });
  engine.signal({ ...progress, count: 2, text: "ond" });
  await settled();
  expect([...state().tails]).toEqual([
    [
      "call_1",
      {
        lines: [
          { stream: "stdout", text: "first" },
          { stream: "stdout", text: "second" },
        ],
      },
    ],
  ]);
  await engine.emit(one, callEnded);
  await settled();
  expect([[...state().tails], state().activity.kind]).toEqual([[], "waiting"]);
  mirror.close();
});

test("the end of a run leaves no request, no tail and no activity", async () => {
  const { engine, state, mirror } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [callBlock]), permissionAsked],
  );
  await engine.emit(one, runEnded);
  await settled();
  expect([state().requests, state().tails.size, state().activity.kind]).toEqual([[], 0, "idle"]);
  mirror.close();
});

test("a prompt that the user adds and a reminder are no signs of the model", async () => {
  const { engine, state, mirror, setTime } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [callBlock]), callStarted],
  );
  await engine.emit(one, admitted("prm_2"));
  await settled();
  const before = state().activity;
  setTime(9_000);
  await engine.emit(one, { type: "prompt.revised", promptId: "prm_2", text: "Rather this." });
  await settled();
  expect(state().activity).toBe(before);
  await engine.emit(one, callEnded, started("stp_82", ["prm_2"], ["Remember."]));
  await settled();
  expect(state().activity.kind).toBe("waiting");
  mirror.close();
});

test("cost, todos and the title reach the session", async () => {
  const { engine, state, mirror } = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  const todos = [{ content: "Look", status: "pending", priority: "high" }] as const;
  await engine.emit(
    one,
    { type: "session.updated", title: "A title", titleSource: "user" },
    { type: "todos.replaced", todos } as unknown as Fact,
    ended("stp_81", [{ type: "text", text: "Done." }]),
  );
  await settled();
  expect(state().session).toMatchObject({ title: "A title", todos, cost });
  mirror.close();
});

test("after a gap everything is read anew", async () => {
  const { engine, state, texts, mirror } = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  engine.signal(delta("Hel"));
  await settled();
  engine.reads.length = 0;
  engine.say("server.resync");
  await settled();
  expect([...engine.reads].sort()).toEqual([
    ...["messages", "permission.list", "question.list", "session.read", "task.list"],
  ]);
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: "]);
  expect(state().activity.kind).not.toBe("idle");
  mirror.close();
});

test("what happens while a page is read is not lost to the page", async () => {
  const { engine, texts, mirror } = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  engine.hold(true);
  const read = mirror.refresh();
  await engine.emit(one, ended("stp_81", [{ type: "text", text: "All of it." }]));
  await settled();
  engine.hold(false);
  await read;
  await settled();
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: All of it."]);
  mirror.close();
});

test("another session takes the place of the first one, and nothing of that one is left", async () => {
  const { engine, state, texts, mirror, lost } = await opened(
    ...[admitted("prm_1"), started("stp_81", ["prm_1"]), ended("stp_81", [callBlock]), callStarted, permissionAsked],
  );
  engine.signal({ type: "tool.progress", sessionId: one, callId: "call_1", count: 1, text: "x", stream: "stdout" });
  await settled();
  await engine.emit(two, created);
  engine.hold(true);
  const reached = mirror.open(two);
  await engine.emit(one, permissionAnswered);
  await engine.emit(two, admitted("prm_9", "run_9"));
  await settled();
  expect([texts(), state().requests, state().tails.size, state().activity.kind]).toEqual([[], [], 0, "idle"]);
  engine.hold(false);
  await reached;
  await settled();
  await engine.emit(one, callEnded);
  await settled();
  expect(texts()).toEqual(["user: Do prm_9."]);
  expect([state().session?.id, state().requests, state().tails.size]).toEqual([two, [], 0]);
  expect(lost).toEqual([]);
  mirror.close();
});

test("older pages are read one at a time", async () => {
  const prompts = Array.from({ length: messagesPerPage + 20 }, (_, index) => `prm_${1_000 + index}`);
  const { engine, state, mirror } = await opened(...prompts.map((promptId) => admitted(promptId)));
  expect([state().messages.length, state().hasOlder]).toEqual([messagesPerPage, true]);
  engine.reads.length = 0;
  await Promise.all([mirror.readOlder(), mirror.readOlder()]);
  expect([state().messages.length, state().hasOlder, engine.reads.length]).toEqual([messagesPerPage + 20, false, 1]);
  await mirror.readOlder();
  expect(engine.reads.length).toBe(1);
  mirror.close();
});

test("a conversation that is led back to before the page is read from there", async () => {
  const records = Array.from({ length: messagesPerPage * 2 }, (_, index): Fact => {
    return { type: "message.added", messageId: `rec_${1_000 + index}`, kind: "branch-summary", text: `${index}` };
  });
  const { engine, texts, mirror } = await opened(...records);
  await engine.emit(one, { type: "leaf.moved", leafId: "rec_1002" });
  await settled();
  expect(texts()).toEqual(["user: 0", "user: 1", "user: 2"]);
  mirror.close();
});

test("a stream that ends is told once, one that is closed is not", async () => {
  const first = await opened();
  first.engine.endStreams();
  await settled();
  first.mirror.close();
  await settled();
  expect(first.lost).toEqual(["The connection to the engine ended."]);
  const second = await opened();
  second.engine.endStreams(brokenStream);
  await settled();
  expect(second.lost).toEqual(["The stream broke."]);
  const third = await opened();
  third.mirror.close();
  await settled();
  expect(third.lost).toEqual([]);
});

test("a session that does not exist cannot be opened", async () => {
  const { mirror } = setUp();
  await expect(mirror.open("ses_nowhere")).rejects.toThrow("There is no such session.");
  mirror.close();
});
