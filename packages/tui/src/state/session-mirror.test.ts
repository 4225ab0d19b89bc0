/** Proves that the state follows one session of an engine, and nothing but that. */
import { connectionLost, type Fact } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  admitted,
  callBlock,
  callEnded,
  callStarted,
  cost,
  created,
  delta,
  ended,
  one,
  opened,
  permissionAnswered,
  permissionAsked,
  questions,
  runEnded,
  settled,
  setUp,
  started,
  two,
} from "../../test/mirror-bench.ts";
import { brokenStream } from "../../test/told-engine.ts";
import type { ClientState } from "./client-state.ts";
import { messagesPerPage } from "./read-session.ts";
import { createSessionMirror } from "./session-mirror.ts";

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

test("a lost server is told at once, without anything being sent, and everything is read anew when it is back", async () => {
  const { engine, state, texts, mirror, lost } = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  engine.say(connectionLost);
  await settled();
  expect([state().connection, lost]).toEqual(["lost", []]);
  engine.say("server.connected");
  await settled();
  await engine.emit(one, ended("stp_81", [{ type: "text", text: "Back." }]), runEnded);
  await settled();
  expect([state().connection, texts(), lost]).toEqual(["ready", ["user: Do prm_1.", "assistant: Back."], []]);
  expect(engine.reads.filter((read) => read === "session.read")).toHaveLength(2);
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
  engine.signal({ type: "tool.progress", sessionId: one, callId: "call_1", count: 2, text: "y", stream: "stdout" });
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
  expect(first.lost).toEqual(["Lost the connection to the engine."]);
  const second = await opened();
  second.engine.endStreams(brokenStream);
  await settled();
  expect(second.lost).toEqual(["The stream broke."]);
  const third = await opened();
  third.mirror.close();
  await settled();
  expect(third.lost).toEqual([]);
});

test("what comes of a session that cannot be read is not mixed with the one before", async () => {
  const { engine, store, texts } = setUp();
  await engine.emit(one, created, admitted("prm_1"), started("stp_81", ["prm_1"]), admitted("prm_2"));
  await engine.emit(two, created);
  const failure = { code: "server_error", message: "It cannot be read.", retryable: false } as const;
  const { client: whole } = engine;
  const client: typeof whole = {
    ...whole,
    // Only the row of the second session is missing.
    ask: (async (query: Parameters<typeof whole.ask>[0]) =>
      query.type === "session.read" && query.sessionId === two
        ? { ok: false, failure }
        : whole.ask(query)) as typeof whole.ask,
  };
  const mirror = createSessionMirror({ client, store, now: () => 0, onEvent: () => {}, onLost: () => {} });
  await mirror.open(one);
  await expect(mirror.open(two)).rejects.toThrow("It cannot be read.");
  await engine.emit(two, admitted("prm_9", "run_9"));
  await settled();
  expect(texts()).toEqual(["user: Do prm_9."]);
  mirror.close();
});

test("a stream that ends before it has begun does not keep anybody waiting", async () => {
  const { engine, store } = setUp();
  await engine.emit(one, created);
  const lost: string[] = [];
  const client = { ...engine.client, async *follow() {} };
  const onLost = (sentence: string) => void lost.push(sentence);
  const mirror = createSessionMirror({ client, store, now: () => 0, onEvent: () => {}, onLost });
  await mirror.open(one);
  expect([store.get().session?.id, lost]).toEqual([one, ["Lost the connection to the engine."]]);
});

test("a session that does not exist cannot be opened", async () => {
  const { mirror } = setUp();
  await expect(mirror.open("ses_nowhere")).rejects.toThrow("No such session.");
  mirror.close();
});
