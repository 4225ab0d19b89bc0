/** A client that applies view events has the messages and parts of the fold, whatever happens and whatever streams. */
import { applyViewEvent, createSeededRandom, randomSession, recordsOf, type SeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import {
  beginTelling,
  collectView,
  emptyCollection,
  type Fact,
  type FactRecord,
  type MessageView,
  messagesOf,
  passOver,
  type Signal,
  sealedFields,
  tellFact,
  tellSignal,
  type ViewTelling,
} from "../src/index.ts";

const sessionId = "ses_random";

test("after every fact the client has what a fold of all facts gives", async () => {
  const random = createSeededRandom();
  for (let round = 0; round < 40; round += 1) {
    const records = recordsOf(randomSession(random, { steps: 1 + random.below(12) }), sessionId);
    const telling = beginTelling(sessionId);
    const client = emptyCollection();
    for (const [index, record] of records.entries()) {
      for (const event of await tellFact(telling, record, () => records)) {
        applyViewEvent(client, sessionId, structuredClone(event));
      }
      const hint = `seed ${random.seed}, session ${round}, fact ${record.seq} ${record.fact.type}`;
      expect(messagesOf(client), hint).toEqual(messagesOf(collectView(sessionId, records.slice(0, index + 1))));
    }
  }
});

test("deltas only ever run ahead of what is stored, and each answer ends as it is stored", async () => {
  const random = createSeededRandom();
  let deltas = 0;
  for (let round = 0; round < 60; round += 1) {
    const records = recordsOf(randomSession(random, { steps: 1 + random.below(12) }), sessionId);
    const telling = beginTelling(sessionId);
    const client = emptyCollection();
    const started = random.below(3) === 0 ? random.below(records.length) : 0;
    for (const record of records.slice(0, started)) {
      passOver(telling, record);
      for (const event of await viewOfPrefix(records.slice(0, record.seq))) applyViewEvent(client, sessionId, event);
    }
    for (const record of records.slice(started)) {
      const events = [...(await tellFact(telling, record, () => records))];
      const ahead = deltasAfter(random, records, record);
      deltas += ahead.length;
      const hint = `seed ${random.seed}, session ${round}, fact ${record.seq} ${record.fact.type}`;
      for (const event of events) applyViewEvent(client, sessionId, structuredClone(event));
      expectAhead(messagesOf(client), { records: records.slice(0, record.seq), telling, hint });
      for (const signal of ahead) {
        for (const event of tellSignal(telling, signal, record.time)) applyViewEvent(client, sessionId, event);
      }
      expectAhead(messagesOf(client), { records: records.slice(0, record.seq), telling, hint: `${hint}, deltas` });
    }
  }
  expect(deltas).toBeGreaterThan(100);
});

test("content that is removed leaves the client as well", async () => {
  const random = createSeededRandom();
  let changed = 0;
  for (let round = 0; round < 60; round += 1) {
    const facts = randomSession(random, { steps: 1 + random.below(8) });
    const sealed = facts.map((fact, index) => ({ fact, digest: `digest ${index + 1}` }));
    const digests = sealed.flatMap(({ digest }) => (random.below(4) === 0 ? [digest] : []));
    const whole = recordsOf(
      [...facts, { type: "content.removed", digests, reason: "scrub", by: "user" } satisfies Fact],
      sessionId,
    ).map((record, index) => ({ ...record, ...(index < facts.length && { digest: `digest ${index + 1}` }) }));
    const left = whole.map((record) =>
      record.digest !== undefined && digests.includes(record.digest) ? withoutContent(record) : record,
    );
    const telling = beginTelling(sessionId);
    const client = emptyCollection();
    for (const record of whole) {
      for (const event of await tellFact(telling, record, () => left)) applyViewEvent(client, sessionId, event);
    }
    const expected = messagesOf(collectView(sessionId, left));
    if (JSON.stringify(expected) !== JSON.stringify(messagesOf(collectView(sessionId, whole)))) changed += 1;
    expect(messagesOf(client), `seed ${random.seed}, session ${round}`).toEqual(expected);
  }
  expect(changed).toBeGreaterThan(10);
});

async function viewOfPrefix(records: readonly FactRecord[]) {
  const telling = beginTelling(sessionId);
  let last: Awaited<ReturnType<typeof tellFact>> = [];
  for (const record of records) last = await tellFact(telling, record, () => records);
  return last;
}

/** What the model might have streamed after this fact: some of the answer that is stored later, or words that are not. */
function deltasAfter(random: SeededRandom, records: readonly FactRecord[], record: FactRecord): readonly Signal[] {
  const step = openStep(records.slice(0, record.seq));
  if (step === undefined || random.below(4) === 0) return [];
  const stored = records.slice(record.seq).flatMap(({ fact }) => {
    if (fact.type === "step.progressed" && fact.stepId === step) return fact.appended;
    return fact.type === "step.ended" && fact.stepId === step && !hasProgress(records, step) ? fact.content : [];
  });
  return stored.slice(0, random.below(3)).flatMap((block): readonly Signal[] => {
    const base = { sessionId, stepId: step };
    if (block.type === "text") return [{ type: "text.delta", ...base, text: block.text }];
    if (block.type === "reasoning") return [{ type: "reasoning.delta", ...base, text: block.text }];
    if (block.type !== "tool-call") return [];
    const { callId, tool, inputText } = block;
    return [{ type: "tool.input.delta", ...base, callId, tool, text: inputText.slice(0, 4) }];
  });
}

function hasProgress(records: readonly FactRecord[], stepId: string): boolean {
  return records.some(({ fact }) => fact.type === "step.progressed" && fact.stepId === stepId);
}

function openStep(records: readonly FactRecord[]): string | undefined {
  const last = records.findLast(({ fact }) => ["step.started", "step.ended", "run.ended"].includes(fact.type))?.fact;
  return last?.type === "step.started" ? last.stepId : undefined;
}

/** Apart from the answer that streams, everything is as it is stored. */
function expectAhead(
  shown: readonly MessageView[],
  at: { readonly records: readonly FactRecord[]; readonly telling: ViewTelling; readonly hint: string },
): void {
  const stored = messagesOf(collectView(sessionId, at.records));
  const { view, streamed } = at.telling;
  const streaming = streamed.touched.size > 0 ? view.step?.message.id : undefined;
  const settled = (messages: readonly MessageView[]) => messages.filter(({ id }) => id !== streaming);
  expect(settled(shown), at.hint).toEqual(settled(stored));
  if (streaming === undefined) return;
  const [ahead, behind] = [shown, stored].map((messages) => messages.find(({ id }) => id === streaming)?.parts ?? []);
  for (const part of behind ?? []) {
    const same = ahead?.find(({ id }) => id === part.id);
    if (part.type !== "text" && part.type !== "reasoning") expect(same, at.hint).toEqual(part);
    else expect(same?.type === part.type && same.text.startsWith(part.text), at.hint).toBe(true);
  }
}

/** As a store gives back a record whose content was removed. */
function withoutContent(record: FactRecord): FactRecord {
  const names: readonly string[] = sealedFields[record.fact.type];
  const kept = Object.entries(record.fact).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (!names.includes(name)) return [[name, value]];
    if (typeof value === "string") return [[name, ""]];
    return Array.isArray(value) ? [[name, []]] : [];
  });
  // Only the values of sealed fields are others, and those are empty as a store leaves them.
  return { ...record, removed: true, fact: Object.fromEntries(kept) as unknown as Fact };
}
