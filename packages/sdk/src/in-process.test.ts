/** Proves that stored and live events join without gap or repetition, whatever arrives while the store is read. */
import type { Door, Event, Fact, FactRecord, SessionSummary } from "@kedge/protocol";
import { expect, test } from "vitest";
import { connectInProcess, eventsBufferedMax, type ReadableStore } from "./in-process.ts";

const sessionId = "ses_1";

const summary: SessionSummary = {
  ...{ sessionId, isArchived: false, projectId: "project", directory: "/project", title: "", model: "model" },
  ...{ createdAt: 0, updatedAt: 0, lastSeq: 0 },
};

function recordOf(seq: number): FactRecord {
  const fact: Fact = { type: "model.changed", model: `model ${seq}` };
  return { sessionId, seq, time: seq, fact, prev: `h${seq - 1}`, hash: `h${seq}` };
}

function delta(text: string): Event {
  return { kind: "signal", signal: { type: "text.delta", sessionId, stepId: "stp_1", text } };
}

/** A journal that stores, then publishes; `whileReading` runs after each record that a read gives out. */
function startJournal(whileReading: (seq: number) => void = () => {}) {
  const records: FactRecord[] = [];
  const listeners = new Set<(event: Event) => void>();
  let recordsRead = 0;
  const publish = (event: Event) => {
    for (const listener of listeners) listener(event);
  };
  const unanswered = { ok: false, failure: { code: "unknown", message: "no engine", retryable: false } } as const;
  const door: Door = {
    send: async () => unanswered,
    ask: async () => unanswered,
    follow: async function* () {},
    subscribe: (_, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const store: ReadableStore = {
    read: async function* (_, afterSeq) {
      for (const record of records.filter((each) => each.seq > afterSeq)) {
        recordsRead += 1;
        yield record;
        whileReading(record.seq);
      }
    },
    session: async () => summary,
    sessions: async () => [],
    messages: async () => ({ messages: [] }),
    search: async () => [],
    verify: async () => ({ sessionId, valid: true, records: 0, payloadsRemoved: 0, truncated: false }),
  };
  const append = () => {
    const record = recordOf(records.length + 1);
    records.push(record);
    publish({ kind: "fact", record });
  };
  return { door, store, append, publish, listeners, recordsRead: () => recordsRead };
}

async function collect(events: AsyncIterable<Event>, enough: (seen: readonly Event[]) => boolean, stop: () => void) {
  const seen: Event[] = [];
  for await (const event of events) {
    seen.push(event);
    if (enough(seen)) stop();
  }
  return seen;
}

const seqsOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === "fact" ? [event.record.seq] : []));

test("a command is carried out each time it is sent, and with a key once", async () => {
  const { door, store } = startJournal();
  let sent = 0;
  const send: Door["send"] = async () => ({ ok: true, value: { sessionId: `ses_${++sent}` } }) as never;
  const client = connectInProcess({ ...door, send }, store);
  const create = { type: "session.create" } as const;
  for (const options of [{}, {}, { idempotencyKey: "k" }, { idempotencyKey: "k" }]) {
    await client.send<"session.create">(create, options);
  }
  expect(sent).toBe(3);
});

test("stored facts come first, then live ones, each exactly once", async () => {
  const journal = startJournal((seq) => {
    // A fact appended in the middle of a read is published and not part of that read's list.
    if (seq === 2) journal.append();
    if (seq === 3) queueMicrotask(() => journal.append());
  });
  for (let count = 0; count < 3; count += 1) journal.append();
  const abort = new AbortController();
  const client = connectInProcess(journal.door, journal.store);
  const seen = await collect(
    client.events(sessionId, 1, abort.signal),
    (events) => events.length === 4,
    () => abort.abort(),
  );
  expect(seqsOf(seen)).toEqual([2, 3, 4, 5]);
  expect(journal.recordsRead()).toBe(2);
  expect(journal.listeners.size).toBe(0);
});

test("signals keep their place between facts", async () => {
  const journal = startJournal();
  journal.append();
  const abort = new AbortController();
  const client = connectInProcess(journal.door, journal.store);
  const reading = collect(
    client.events(sessionId, 0, abort.signal),
    (events) => {
      if (events.length === 1) {
        journal.publish(delta("a"));
        journal.append();
        journal.publish(delta("b"));
      }
      return events.length === 4;
    },
    () => abort.abort(),
  );
  expect(await reading).toEqual([
    { kind: "fact", record: recordOf(1) },
    delta("a"),
    { kind: "fact", record: recordOf(2) },
    delta("b"),
  ]);
});

test("a reader that falls behind loses signals but no fact, and the buffer stays bounded", async () => {
  const journal = startJournal();
  journal.append();
  const abort = new AbortController();
  const client = connectInProcess(journal.door, journal.store);
  const factsTotal = 40;
  const seen = await collect(
    client.events(sessionId, 0, abort.signal),
    (events) => {
      if (events.length === 1) {
        for (let count = 0; count < eventsBufferedMax; count += 1) journal.publish(delta("x"));
        for (let seq = 2; seq <= factsTotal; seq += 1) journal.append();
      }
      return seqsOf(events).at(-1) === factsTotal;
    },
    () => abort.abort(),
  );
  expect(seqsOf(seen)).toEqual(Array.from({ length: factsTotal }, (_, index) => index + 1));
  expect(seen.length).toBe(eventsBufferedMax + factsTotal);
});

test("after the newest comes what happens from then on, without a read, and without deltas if so wished", async () => {
  const journal = startJournal();
  for (let count = 0; count < 3; count += 1) journal.append();
  const abort = new AbortController();
  const client = connectInProcess(journal.door, journal.store);
  const events = client.events(sessionId, "newest", abort.signal, { deltas: false })[Symbol.asyncIterator]();
  const first = events.next();
  journal.append();
  for (let count = 0; count <= eventsBufferedMax; count += 1) journal.publish(delta("x"));
  const notice: Event = { kind: "signal", signal: { type: "notice", sessionId, text: "Done." } };
  journal.publish(notice);
  expect([(await first).value, (await events.next()).value]).toEqual([{ kind: "fact", record: recordOf(4) }, notice]);
  expect(journal.recordsRead()).toBe(0);
  // One that falls behind gets its own facts from the store, and none from before.
  for (let count = 0; count <= eventsBufferedMax; count += 1) journal.publish(notice);
  journal.append();
  const seen: unknown[] = [];
  while (seen.at(-1) !== 5) {
    const { value } = await events.next();
    if (value?.kind === "fact") seen.push(value.record.seq);
  }
  expect([seen, journal.recordsRead()]).toEqual([[5], 1]);
  abort.abort();
});

test("an aborted signal ends a waiting reader and an early return unsubscribes", async () => {
  const journal = startJournal();
  const client = connectInProcess(journal.door, journal.store);
  const abort = new AbortController();
  const waiting = client.events(sessionId, 0, abort.signal)[Symbol.asyncIterator]().next();
  queueMicrotask(() => abort.abort());
  expect(await waiting).toEqual({ value: undefined, done: true });
  expect(journal.listeners.size).toBe(0);
  const never = client.events(sessionId, 0, AbortSignal.abort())[Symbol.asyncIterator]();
  expect(await never.next()).toEqual({ value: undefined, done: true });
});
