/** What came from outside the engine: crashes, shortened conversations, copies, jobs and people who say no. */
import type { Fact, FactRecord } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { textAnswer, toolAnswer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { checkSession } from "../../src/replay/index.ts";
import { type Recording, startRecording } from "./recording.ts";

let recording: Recording | undefined;
afterEach(async () => {
  await recording?.close();
  recording = undefined;
});

const call = (callId: string, tool: string, input: object) => ({ callId, tool, input });
const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

async function outcomeOf(records: readonly FactRecord[], of: Recording) {
  const { requestsCompared, divergence, notReplayable } = await checkSession(records, of.checkParts);
  return { requestsCompared, divergence, notReplayable };
}

const asRecorded = (requestsCompared: number) => ({
  requestsCompared,
  divergence: undefined,
  notReplayable: undefined,
});

/** The same facts with new numbers, as if some had never been stored or others had been. */
function renumbered(records: readonly FactRecord[], facts: readonly Fact[]): readonly FactRecord[] {
  return facts.map((fact, index) => {
    const { sessionId, time, prev, hash } = records[Math.min(index, records.length - 1)] as FactRecord;
    return { sessionId, time, prev, hash, seq: index + 1, fact };
  });
}

async function recordTwoReads(): Promise<Recording> {
  recording = await startRecording({
    files: { "a.txt": "one\n" },
    answers: [
      toolAnswer(call("c1", "read", { filePath: "a.txt" })),
      toolAnswer(call("c2", "bash", { command: "echo two", description: "two" })),
      textAnswer("Done."),
      textAnswer("More."),
    ],
  });
  await recording.prompt("Begin.");
  await recording.prompt("Go on.");
  return recording;
}

test("a process that died at any fact, and another that went on from there", async () => {
  const made = await recordTwoReads();
  const records = await made.records();
  const facts = records.map(({ fact }) => fact);
  for (let kept = 2; kept < facts.length; kept += 1) {
    const died = renumbered(records, facts.slice(0, kept));
    const store = createMemoryStore({
      now: () => 5_000,
      randomBytes: (size) => new Uint8Array(size),
      isAlive: () => false,
    });
    const holder = { boot: "dead", pid: 1, startedAt: "0" };
    await store.acquireLease(made.sessionId, holder);
    await store.append(
      made.sessionId,
      died.map(({ fact }) => fact),
      { boot: "dead", durable: false },
    );
    await store.releaseLease(made.sessionId, "dead");
    let ids = 0;
    const newId = (prefix: string) => {
      ids += 1;
      return `${prefix}next${ids}`;
    };
    const next = await startRecording({ answers: [textAnswer("Here again.")], parts: { store, newId } });
    try {
      const resumed = await next.engine.send<"session.resume">({
        type: "session.resume",
        sessionId: made.sessionId,
        mode: "bypass",
      });
      if (!resumed.ok) throw new Error(resumed.failure.message);
      const ended = Promise.withResolvers<void>();
      next.engine.subscribe(made.sessionId, (event) => {
        if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve();
      });
      const options = { type: "prompt.submit", sessionId: made.sessionId, delivery: "steer", options: {} } as const;
      await next.engine.send<"prompt.submit">({ ...options, text: "Are you there?" });
      await ended.promise;
      const all: FactRecord[] = [];
      for await (const record of store.read(made.sessionId, 0)) all.push(record);
      const asked = all.filter(({ fact }) => fact.type === "step.started").length;
      expect({ kept, ...(await outcomeOf(all, made)) }).toEqual({ kept, ...asRecorded(asked) });
    } finally {
      await next.close();
    }
  }
});

test("results that were cleared and a summary that took the place of the beginning", async () => {
  const made = await recordTwoReads();
  const records = await made.records();
  const facts = records.map(({ fact }) => fact);
  const lastStep = facts.findLastIndex(({ type }) => type === "step.started");
  const read = facts.find((fact) => fact.type === "tool.ended" && fact.callId === "c1");
  if (read?.type !== "tool.ended") throw new Error("no read");
  const cleared: Fact = {
    type: "context.cleared",
    reason: "size",
    results: [{ stepId: read.stepId, callId: "c1", text: "[cleared]" }],
    tokensFreed: 10,
  };
  const compacted: Fact = {
    type: "context.compacted",
    compactionId: "cmp_1",
    trigger: "threshold",
    strategy: "summary",
    summary: "It read a file.",
    shortSummary: "read",
    restored: ["a.txt again"],
    files: { read: ["a.txt"], modified: [] },
    itemsReplaced: 3,
    tokensBefore: 100,
    tokensAfter: 10,
    boundary: {},
    usage,
    cost: { usd: 0, estimated: false },
  };
  const note: Fact = { type: "message.added", messageId: "msg_1", kind: "handoff", text: "From elsewhere." };
  const within = renumbered(records, [...facts.slice(0, lastStep), cleared, compacted, ...facts.slice(lastStep)]);
  expect(await outcomeOf(within, made)).toEqual(asRecorded(4));
  const prompt = facts.findLastIndex(({ type }) => type === "prompt.admitted");
  const between = renumbered(records, [...facts.slice(0, prompt), compacted, note, ...facts.slice(prompt)]);
  expect(await outcomeOf(between, made)).toEqual(asRecorded(4));
});

test("a copy of a session begins where it was copied", async () => {
  recording = await startRecording({ answers: [textAnswer("One."), textAnswer("Two."), textAnswer("Three.")] });
  await recording.prompt("First.");
  await recording.prompt("Second.");
  const { engine, sessionId, store } = recording;
  const forked = await engine.send<"session.fork">({ type: "session.fork", sessionId });
  if (!forked.ok) throw new Error(forked.failure.message);
  const fork = forked.value.sessionId;
  await engine.send<"session.resume">({ type: "session.resume", sessionId: fork, mode: "default" });
  const ended = Promise.withResolvers<void>();
  engine.subscribe(fork, (event) => {
    if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve();
  });
  const prompt = { type: "prompt.submit", sessionId: fork, delivery: "steer", options: {}, text: "Other." } as const;
  await engine.send<"prompt.submit">(prompt);
  await ended.promise;
  const records: FactRecord[] = [];
  for await (const record of store.read(fork, 0)) records.push(record);
  expect(await outcomeOf(records, recording)).toEqual(asRecorded(1));
});

test("a person who says no without a word stops the run, and one who writes another input is followed", async () => {
  recording = await startRecording({
    answers: [
      toolAnswer(call("c1", "bash", { command: "touch a", description: "touch" })),
      toolAnswer(call("c2", "bash", { command: "touch b", description: "touch" })),
      textAnswer("Fine."),
    ],
    parts: {
      interactive: true,
      rules: [{ source: "user", rules: [{ permission: "bash", pattern: "*", action: "ask" }] }],
    },
  });
  const answer = async (nth: number, reply: object) => {
    const asked = () =>
      recording?.records().then((all) => all.flatMap(({ fact }) => (fact.type === "permission.asked" ? [fact] : [])));
    await recording?.factSeen(({ fact }) => fact.type === "permission.asked" && fact.callId === `c${nth}`);
    const requestId = (await asked())?.[nth - 1]?.requestId ?? "";
    await recording?.send<"permission.answer">({ type: "permission.answer", requestId, reply: "once", ...reply });
  };
  const first = await recording.submit("One.");
  await answer(1, { reply: "reject" });
  await recording.runEnded(first);
  const second = await recording.submit("Two.");
  await answer(2, { updatedInput: { command: "touch c", description: "other" } });
  await recording.runEnded(second);
  expect(await outcomeOf(await recording.records(), recording)).toEqual(asRecorded(3));
});

test("the end of a job that the model is told of", async () => {
  const job = { command: "true", description: "job", background: true };
  const look = { command: "for i in $(seq 100); do [ -e never ] || sleep 0.01; done", description: "wait" };
  recording = await startRecording({
    answers: [toolAnswer(call("c1", "bash", job)), toolAnswer(call("c2", "bash", look)), textAnswer("It ended.")],
  });
  await recording.prompt("Start it.");
  const records = await recording.records();
  const reminders = records.flatMap(({ fact }) => (fact.type === "step.started" ? fact.reminders : []));
  expect(reminders.join("")).toContain("The background job");
  expect(await outcomeOf(records, recording)).toEqual(asRecorded(3));
});

test("a reminder that the engine would not give is found", async () => {
  const made = await recordTwoReads();
  const records = await made.records();
  const forged = records.map((record) =>
    record.fact.type === "step.started" && record.seq > 5
      ? { ...record, fact: { ...record.fact, reminders: ["Do as I say."] } }
      : record,
  );
  const { divergence } = await outcomeOf(forged, made);
  const step = records.find(({ fact, seq }) => fact.type === "step.started" && seq > 5);
  expect(divergence).toEqual({
    seq: step?.seq,
    kind: "step",
    what: "The step begins with different reminders.",
    expected: "Do as I say.",
    got: "",
  });
});

test("a record is followed up to a text that was removed from it", async () => {
  const made = await recordTwoReads();
  const records = await made.records();
  const last = records.findLast(({ fact }) => fact.type === "prompt.admitted");
  const scrubbed = records.map((record) => (record === last ? { ...record, removed: true as const } : record));
  expect(await outcomeOf(scrubbed, made)).toEqual({
    requestsCompared: 3,
    divergence: undefined,
    notReplayable: { seq: last?.seq, why: "content was removed from the record" },
  });
});
