/** Proves that a mirror becomes equal to its session again after anything that a connection can do to it. */
import { type Client, connectionLost, FailureError } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  admitted,
  created,
  ended,
  one,
  opened,
  permissionAsked,
  settled,
  setUp,
  started,
} from "../../test/mirror-bench.ts";
import { messagesPerPage } from "./read-session.ts";
import { createSessionMirror } from "./session-mirror.ts";

/** As a client over a wire whose requests are cut: the first `count` of the named query fail. */
function cutting(client: Client, named: string, count: number): Client {
  let left = count;
  const failure = { code: "connection_error", message: "It was cut.", retryable: true } as const;
  const isCut = (name: string) => name === named && left-- > 0;
  return {
    ...client,
    ask: (async (query: Parameters<Client["ask"]>[0]) =>
      isCut(query.type) ? { ok: false, failure } : client.ask(query)) as Client["ask"],
    async messages(...wish) {
      if (isCut("messages")) throw new FailureError(failure);
      return client.messages(...wish);
    },
  };
}

test("a request that is cut while a session is opened is made again, and nothing that waits is missed", async () => {
  for (const named of ["session.read", "messages", "permission.list", "question.list", "task.list"]) {
    const { engine, store, texts } = setUp();
    await engine.emit(one, created, admitted("prm_1"), started("stp_81", ["prm_1"]), permissionAsked);
    const lost: string[] = [];
    const states = new Set<string>();
    store.subscribe(
      ({ connection }) => connection,
      (connection) => void states.add(connection),
    );
    const onLost = (sentence: string) => void lost.push(sentence);
    const client = cutting(engine.client, named, 1);
    const mirror = createSessionMirror({ client, store, now: () => 0, onEvent: () => {}, onLost });
    await mirror.open(one);
    expect([named, texts(), store.get().requests.length]).toEqual([named, ["user: Do prm_1.", "assistant: "], 1]);
    // What could not be read is not passed off as current.
    expect([[...states], lost]).toEqual([["lost", "ready"], []]);
    mirror.close();
  }
});

test("after a gap, a cut request is made again although the stream never breaks, and what comes meanwhile is shown", async () => {
  const { engine, store, texts } = setUp();
  await engine.emit(one, created, admitted("prm_1"), started("stp_81", ["prm_1"]));
  const { client } = engine;
  let isCut = false;
  const failing = cutting(client, "messages", Number.POSITIVE_INFINITY);
  const messages: Client["messages"] = (...wish) => (isCut ? failing : client).messages(...wish);
  const told = { now: () => 0, onEvent: () => {}, onLost: () => {} };
  const mirror = createSessionMirror({ client: { ...client, messages }, store, ...told });
  await mirror.open(one);
  isCut = true;
  engine.say("server.resync");
  await settled();
  expect(store.get().connection).toBe("lost");
  await engine.emit(one, ended("stp_81", [{ type: "text", text: "Meanwhile." }]));
  await settled();
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: Meanwhile."]);
  isCut = false;
  await expect.poll(() => store.get().connection).toBe("ready");
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: Meanwhile."]);
  mirror.close();
});

test("a read that hangs is broken off when the server is lost, and what it tells later does not count", async () => {
  const { engine, texts, mirror, state } = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  engine.hold(true);
  const read = mirror.refresh();
  await settled();
  engine.say(connectionLost);
  await settled();
  expect(state().connection).toBe("lost");
  await engine.emit(one, ended("stp_81", [{ type: "text", text: "All of it." }]));
  await settled();
  // Nothing is held back for the sake of a page that will not come.
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: All of it."]);
  engine.hold(false);
  engine.say("server.connected");
  await read;
  await settled();
  expect([texts(), state().connection]).toEqual([["user: Do prm_1.", "assistant: All of it."], "ready"]);
  mirror.close();
});

test("what was read while the stream was still gone is read again when it is back", async () => {
  const { engine, texts, mirror, state } = await opened(admitted("prm_1"), started("stp_81", ["prm_1"]));
  engine.say(connectionLost);
  await settled();
  await mirror.refresh();
  expect(state().connection).toBe("lost");
  engine.say("server.connected");
  await expect.poll(() => state().connection).toBe("ready");
  expect(texts()).toEqual(["user: Do prm_1.", "assistant: "]);
  mirror.close();
});

test("a page that was asked for before everything was read anew leaves no gap", async () => {
  const prompts = Array.from({ length: messagesPerPage * 2 + 20 }, (_, index) => `prm_${1_000 + index}`);
  const { engine, state, mirror } = await opened(...prompts.map((promptId) => admitted(promptId)));
  await mirror.readOlder();
  engine.hold(true);
  const older = mirror.readOlder();
  const read = mirror.refresh();
  engine.hold(false);
  await Promise.all([read, older]);
  expect([state().messages.length, state().hasOlder]).toEqual([messagesPerPage, true]);
  expect(state().messages[0]?.id).toBe(`msg_${1_000 + messagesPerPage + 20}`);
  mirror.close();
});
