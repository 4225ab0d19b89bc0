/** Proves what crosses a port: values, failures, bugs and cancellations, and what happens when one end goes away. */
import { MessageChannel } from "node:worker_threads";
import { type Client, type Event, type Failure, FailureError } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { connectOverPort, serveClient } from "../src/index.ts";
import { engineStopped } from "../src/port/port-messages.ts";
import { batchesUntakenMax, itemsPerBatchMax } from "../src/port/stream-batches.ts";
import { clientOf } from "./client-double.ts";

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function connect(parts: Partial<Client>) {
  const { port1, port2 } = new MessageChannel();
  closers.push(() => port1.close());
  const serving = serveClient(port1, clientOf(parts));
  return { client: connectOverPort(port2), serving, enginePort: port1, screenPort: port2 };
}

const notice = (count: number): Event => ({
  kind: "signal",
  signal: { type: "notice", sessionId: "ses_1", text: String(count) },
});

const valid = { sessionId: "ses_1", valid: true, records: 0, payloadsRemoved: 0, truncated: false };

const never = new AbortController().signal;

test("what is thrown is thrown again: a failure as itself, anything else with the first line of its message", async () => {
  const failure: Failure = { code: "storage", message: "The disk is full.", recovery: "Make room.", retryable: false };
  const { client } = connect({
    async sessions() {
      throw new FailureError(failure);
    },
    async verify() {
      throw new RangeError("first line\nsecond line");
    },
    async *facts() {
      yield* [];
      throw new FailureError(failure);
    },
    async *events() {
      yield notice(1);
      throw new Error("torn");
    },
    // A value that cannot be copied is a bug of the engine.
    search: async () => [(() => 1) as never],
    async *follow() {
      yield (() => 1) as never;
    },
  });
  const sessions = await client.sessions({ limit: 1 }).catch((error: unknown) => error);
  expect([sessions instanceof FailureError, sessions]).toEqual([true, expect.objectContaining({ failure })]);
  const verified = await client.verify("ses_1").catch((error: unknown) => error);
  expect([verified instanceof FailureError, verified]).toEqual([false, new Error("first line")]);
  await expect(client.facts("ses_1")[Symbol.asyncIterator]().next()).rejects.toMatchObject({ failure });
  const events = client.events("ses_1", 0, never)[Symbol.asyncIterator]();
  expect(await events.next()).toEqual({ done: false, value: notice(1) });
  await expect(events.next()).rejects.toEqual(new Error("torn"));
  await expect(client.search({ text: "x", limit: 1 })).rejects.toThrow(/could not be cloned/);
  const frames = client.follow({ signal: never })[Symbol.asyncIterator]();
  await expect(frames.next()).rejects.toThrow(/could not be cloned/);
});

test("a call that is given up is giving up in the engine as well, and its late answer is nobody's", async () => {
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const answered = Promise.withResolvers<void>();
  const { client } = connect({
    async sessions(_, { signal } = {}) {
      begun.resolve(signal);
      await answered.promise;
      return [];
    },
    verify: async () => valid,
  });
  const stop = new AbortController();
  const given = client.sessions({ limit: 1 }, { signal: stop.signal });
  const signal = await begun.promise;
  stop.abort();
  await expect(given).rejects.toMatchObject({ failure: { code: "aborted" } });
  await expect.poll(() => signal?.aborted).toBe(true);
  answered.resolve();
  expect(await client.verify("ses_1")).toEqual(valid);
});

test.each(["abort", "return"] as const)("a reader that leaves by %s ends the stream in the engine", async (way) => {
  let isEnded = false;
  const { client } = connect({
    async *events(_, __, signal) {
      try {
        yield notice(1);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      } finally {
        isEnded = true;
      }
    },
  });
  const stop = new AbortController();
  const events = client.events("ses_1", 0, stop.signal)[Symbol.asyncIterator]();
  expect(await events.next()).toEqual({ done: false, value: notice(1) });
  const left = way === "return" ? events.return?.(undefined) : events.next();
  if (way === "abort") stop.abort();
  expect(await left).toEqual({ done: true, value: undefined });
  await expect.poll(() => isEnded).toBe(true);
});

test("a stream for an aborted signal is empty and never opened", async () => {
  const { client } = connect({});
  const gone = AbortSignal.abort();
  const streams = [client.events("ses_1", 0, gone), client.follow({ signal: gone })];
  for (const stream of streams) {
    expect(await stream[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  }
});

test("all items come in their order, and a reader that stands still holds up the source", async () => {
  const total = itemsPerBatchMax * 12;
  let pulled = 0;
  const { client } = connect({
    async *events() {
      for (; pulled < total; pulled += 1) yield notice(pulled);
    },
    verify: async () => valid,
  });
  const events = client.events("ses_1", 0, never)[Symbol.asyncIterator]();
  const seen: unknown[] = [(await events.next()).value];
  // Its answer comes after everything that the source gave without a pause.
  await client.verify("ses_1");
  expect(pulled).toBe(itemsPerBatchMax * (batchesUntakenMax - 1));
  for (let next = await events.next(); next.done !== true; next = await events.next()) seen.push(next.value);
  expect(seen).toEqual(Array.from({ length: total }, (_, count) => notice(count)));
});

test.each<[string, (ends: ReturnType<typeof connect>) => void]>([
  ["the engine's end closes", ({ enginePort }) => enginePort.close()],
  ["the screen's end closes", ({ screenPort }) => screenPort.close()],
  ["the engine serves no more", ({ serving }) => serving.close()],
])("when %s, all that is open fails, and all that comes later at once", async (_, end) => {
  let isEnded = false;
  const ends = connect({
    send: () => new Promise<never>(() => undefined),
    sessions: () => new Promise<never>(() => undefined),
    async *events(_, __, signal) {
      yield notice(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      isEnded = true;
    },
  });
  const { client } = ends;
  const events = client.events("ses_1", 0, never)[Symbol.asyncIterator]();
  await events.next();
  const open = [client.sessions({ limit: 1 }), Promise.resolve(events.next())];
  const failures = open.map((each) => each.then(undefined, (error: unknown) => error));
  const sent = client.send<"session.create">({ type: "session.create" });
  end(ends);
  const thrown = new FailureError(engineStopped);
  expect(await Promise.all(failures)).toEqual([thrown, thrown]);
  expect(await sent).toEqual({ ok: false, failure: engineStopped });
  await expect.poll(() => isEnded).toBe(true);
  expect(await client.ask<"project.read">({ type: "project.read" })).toEqual({ ok: false, failure: engineStopped });
  await expect(client.verify("ses_1")).rejects.toMatchObject({ failure: engineStopped });
  await expect(client.facts("ses_1")[Symbol.asyncIterator]().next()).rejects.toMatchObject({ failure: engineStopped });
});

test("what was sent before the engine went is read before its failure", async () => {
  const ends = connect({
    async *facts() {
      for (let seq = 1; seq < 4; seq += 1) yield { seq } as never;
    },
  });
  const seen: number[] = [];
  for await (const { seq } of ends.client.facts("ses_1")) {
    seen.push(seq);
    ends.enginePort.close();
  }
  expect(seen).toEqual([1, 2, 3]);
});

test("neither end keeps a listener on the port after it is closed", async () => {
  const { port1, port2 } = new MessageChannel();
  closers.push(() => port1.close());
  const listeners = () =>
    [port1, port2].map((port) => ["message", "close", "exit"].map((event) => port.listenerCount(event)));
  const before = listeners();
  const client = connectOverPort(port2);
  serveClient(port1, clientOf({})).close();
  expect(await client.ask<"vcs.read">({ type: "vcs.read" })).toMatchObject({ failure: engineStopped });
  expect(listeners()).toEqual(before);
});
