/** Whatever happens in a session, its view is whole, ordered and the same however it is folded. */

import { serialize } from "node:v8";
import { createSeededRandom, randomSession, recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import {
  applyRecord,
  applyToView,
  collectChange,
  collectView,
  emptyCollection,
  emptySession,
  emptyView,
  type FactRecord,
  type MessageView,
  messageIdOf,
  messagesOf,
  wholePath,
} from "../src/index.ts";

const sessions = 150;

test("random sessions have a whole and repeatable view", () => {
  const random = createSeededRandom();
  for (let round = 0; round < sessions; round += 1) {
    const records = recordsOf(randomSession(random, { steps: 1 + random.below(30) }));
    const hint = `seed ${random.seed}, session ${round}`;
    const collected = collectView("ses_random", records);
    const messages = messagesOf(collected);
    expect(collected.refused, hint).toEqual([]);
    expect(oneByOne(records), hint).toEqual(messages);
    expect(messagesOf(collectView("ses_random", records)), hint).toEqual(messages);
    expectOrder(messages, hint);
    expectEnded(messages, hint);
    expectTree(records, messages, { hint, leafId: collected.session?.leafId });
  }
});

test("a view that is cloned in the middle goes on as if nothing had happened", () => {
  const random = createSeededRandom();
  const records = recordsOf(randomSession(random, { steps: 20 }));
  const cut = random.below(records.length);
  const view = emptyView("ses_random");
  for (const record of records.slice(0, cut)) applyToView(view, record);
  const clone = structuredClone(view);
  const rest = records.slice(cut);
  expect(
    rest.map((record) => applyToView(clone, record)),
    `seed ${random.seed}, cut ${cut}`,
  ).toEqual(rest.map((record) => applyToView(view, record)));
});

test("the state of a view holds no words of an answer and no output", () => {
  const random = createSeededRandom();
  const records = recordsOf(randomSession(random, { steps: 200 }));
  const view = emptyView("ses_random");
  const words = new Set(records.flatMap((record) => (wordsIn(applyToView(view, record)) ? ["told"] : [])));
  const hint = `seed ${random.seed}`;
  expect([...words], hint).toEqual(["told"]);
  expect(wordsIn(view), hint).toBe(false);
});

function wordsIn(value: unknown): boolean {
  return /Words before|Thoughts before|Output of/.test(serialize(value).toString("latin1"));
}

/** The records come one at a time, some of them twice, as after a connection was lost. */
function oneByOne(records: readonly FactRecord[]): readonly MessageView[] {
  const view = emptyView("ses_random");
  const collection = emptyCollection();
  for (const record of records) {
    for (const change of applyToView(view, record)) collectChange(collection, structuredClone(change));
    expect(applyToView(view, record)).toEqual([]);
  }
  return messagesOf(collection);
}

function expectOrder(messages: readonly MessageView[], hint: string): void {
  const messageIds = messages.map(({ id }) => id);
  expect(new Set(messageIds).size, hint).toBe(messageIds.length);
  const partIds = messages.flatMap(({ parts }) => parts.map(({ id }) => id));
  expect(new Set(partIds).size, hint).toBe(partIds.length);
  for (const { id, parts } of messages) {
    expect(
      parts.map((part) => part.messageId),
      hint,
    ).toEqual(parts.map(() => id));
    expect(
      parts.map((part) => part.id),
      hint,
    ).toEqual(parts.map((part) => part.id).sort());
  }
}

function expectEnded(messages: readonly MessageView[], hint: string): void {
  for (const { parts, role, completedAt } of messages) {
    const states = parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : []));
    expect(
      states.filter((status) => status === "pending" || status === "running"),
      hint,
    ).toEqual([]);
    if (role === "assistant") expect(completedAt, hint).toBeDefined();
  }
}

/** The way from the leaf to the root is the one that the session itself has. */
function expectTree(
  records: readonly FactRecord[],
  messages: readonly MessageView[],
  { hint, leafId }: { readonly hint: string; readonly leafId: string | undefined },
): void {
  const state = emptySession("ses_random");
  for (const record of records) applyRecord(state, record);
  const expected = wholePath(state, state.leaf).flatMap((item) => {
    if (item.type === "reminder" || item.type === "results") return [];
    const id = messageIdOf(item.id);
    return item.type === "compaction" ? [id, `${id}.summary`] : [id];
  });
  const byId = new Map(messages.map((message) => [message.id, message]));
  const path: string[] = [];
  for (let id = leafId; id !== undefined; id = byId.get(id)?.treeParent) path.unshift(id);
  expect(path, hint).toEqual(expected);
}
