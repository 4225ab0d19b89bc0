/** Proves that pages and view events together show what a page read later would show. */
import {
  beginTelling,
  collectView,
  type FactRecord,
  type MessageView,
  messagesOf,
  noUsage,
  type PartView,
  passOver,
  type SessionView,
  tellFact,
  type ViewCollection,
} from "@kedge/protocol";
import { createSeededRandom, randomSession, recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import { createMessageList } from "./message-list.ts";

const sessionId = "ses_random";

/** The whole tree is looked at again: from the leaf back to the root, then what waits. */
function expectedOf(collection: ViewCollection): readonly MessageView[] {
  const all = messagesOf(collection);
  const byId = new Map(all.map((message) => [message.id, message]));
  const leafId = collection.session?.leafId;
  const newest = all.filter(({ isQueued }) => isQueued !== true).at(-1);
  const isLoose =
    newest?.role === "assistant" &&
    newest.treeParent === leafId &&
    (newest.completedAt === undefined || newest.failure !== undefined || !newest.parts.some(isSaid));
  const path: MessageView[] = [];
  let next = isLoose ? newest : byId.get(leafId ?? "");
  while (next !== undefined) {
    path.unshift(next);
    next = byId.get(next.treeParent ?? "");
  }
  return [...path, ...all.filter(({ isQueued }) => isQueued === true)];
}

function isSaid({ type }: PartView): boolean {
  return type === "text" || type === "reasoning" || type === "tool";
}

function sessionOf(collection: ViewCollection): SessionView {
  if (collection.session === undefined) throw new Error("the session has not begun");
  return collection.session;
}

test("after every fact the list shows what a page read at that moment shows", async () => {
  const random = createSeededRandom();
  let comparisons = 0;
  for (let round = 0; round < 60; round += 1) {
    const records = recordsOf(randomSession(random, { steps: 1 + random.below(10) }), sessionId);
    const begun = 1 + random.below(records.length);
    const telling = beginTelling(sessionId);
    for (const record of records.slice(0, begun)) passOver(telling, record);
    const first = collectView(sessionId, records.slice(0, begun));
    const page = messagesOf(first);
    const list = createMessageList();
    // Half of the time only the newest ones are there, and the others are read at some point.
    const cut = random.below(2) === 0 ? 0 : random.below(Math.max(1, page.length));
    list.begin(page.slice(cut), sessionOf(first));
    const readOlderAt = begun + random.below(records.length - begun + 1);
    if (readOlderAt === begun) list.addOlder(page.slice(0, cut));
    for (let index = begun; index < records.length; index += 1) {
      // The loop ends with the records.
      const record = records[index] as FactRecord;
      for (const event of await tellFact(telling, record, () => records)) list.apply(structuredClone(event));
      if (index + 1 === readOlderAt) {
        const now = new Map(
          messagesOf(collectView(sessionId, records.slice(0, index + 1))).map((each) => [each.id, each]),
        );
        list.addOlder(page.slice(0, cut).flatMap(({ id }) => now.get(id) ?? []));
      }
      if (cut > 0 && index + 1 < readOlderAt) continue;
      const expected = expectedOf(collectView(sessionId, records.slice(0, index + 1)));
      expect(list.shown(), `seed ${random.seed}, session ${round}, fact ${record.seq} ${record.fact.type}`).toEqual(
        expected,
      );
      comparisons += 1;
    }
  }
  expect(comparisons).toBeGreaterThan(200);
});

test("a page of any moment shows the same as the events that led there", async () => {
  const random = createSeededRandom();
  for (let round = 0; round < 30; round += 1) {
    const records = recordsOf(randomSession(random, { steps: 1 + random.below(10) }), sessionId);
    const whole = collectView(sessionId, records.slice(0, 1 + random.below(records.length)));
    const list = createMessageList();
    list.begin(messagesOf(whole), sessionOf(whole));
    expect(list.shown(), `seed ${random.seed}, session ${round}`).toEqual(expectedOf(whole));
  }
});

const session: SessionView = {
  ...{ id: sessionId, projectId: "prj", directory: "/work", title: "", model: "mock/one", mode: "default" },
  ...{ isRunning: true, isArchived: false, todos: [], labels: [], usage: noUsage },
  ...{ cost: { usd: 0, estimated: false }, createdAt: 1, updatedAt: 1 },
};

function text(messageId: string, order: number, words: string): PartView {
  return { type: "text", text: words, id: `${messageId}.${order}`, messageId, time: 1 };
}

function message(id: string, more: Partial<MessageView> = {}): MessageView {
  const role = id.startsWith("answer") ? "assistant" : "user";
  return { id, sessionId, role, createdAt: 1, parts: [text(id, 1, id)], ...more };
}

function rowOf({ parts: _, ...row }: MessageView) {
  return row;
}

const ids = (messages: readonly MessageView[]) => messages.map(({ id }) => id);

const conversation = [
  message("prompt 1"),
  message("answer 1", { treeParent: "prompt 1", completedAt: 2 }),
  message("prompt 2", { treeParent: "answer 1" }),
  message("answer 2", { treeParent: "prompt 2" }),
];

function begunList() {
  const list = createMessageList();
  list.begin(conversation, { ...session, leafId: "prompt 2" });
  return list;
}

test("a delta makes its message anew and leaves every other object as it was", () => {
  const list = begunList();
  const before = list.shown();
  list.apply({
    ...{ type: "message.part.delta", messageId: "answer 2", partId: "answer 2.1", field: "text" },
    delta: " and more",
  });
  const after = list.shown();
  expect(after.map((each, index) => each === before[index])).toEqual([true, true, true, false]);
  expect(after.at(-1)?.parts).toEqual([text("answer 2", 1, "answer 2 and more")]);
  expect(conversation.at(-1)?.parts).toEqual([text("answer 2", 1, "answer 2")]);
});

test("nothing that changes no message gives another array", () => {
  const list = begunList();
  const before = list.shown();
  list.apply({
    ...{ type: "message.part.delta", messageId: "answer 2", partId: "no part", field: "text" },
    delta: "x",
  });
  list.apply({ ...{ type: "message.part.delta", messageId: "nobody", partId: "x", field: "text" }, delta: "x" });
  list.apply({ type: "message.part.removed", messageId: "answer 2", partId: "no part" });
  list.apply({ type: "todo.updated", todos: [] });
  expect(list.shown()).toBe(before);
});

test("parts stand in the order of their ids, whenever they come", () => {
  const list = begunList();
  list.apply({ type: "message.part.updated", part: text("answer 2", 3, "last") });
  list.apply({ type: "message.part.updated", part: text("answer 2", 2, "between") });
  list.apply({ type: "message.part.updated", part: text("answer 2", 1, "again") });
  list.apply({ type: "message.part.removed", messageId: "answer 2", partId: "answer 2.3" });
  expect(list.shown().at(-1)?.parts).toEqual([text("answer 2", 1, "again"), text("answer 2", 2, "between")]);
});

test("a waiting prompt stands last and moves to its place when the model sees it", () => {
  const list = begunList();
  const waiting = message("prompt 3", { isQueued: true, parts: [] });
  list.apply({ type: "message.updated", message: rowOf(waiting) });
  list.apply({ type: "message.part.updated", part: text("prompt 3", 1, "Wait.") });
  list.apply({ type: "message.updated", message: rowOf(message("answer 3", { treeParent: "prompt 2" })) });
  expect(ids(list.shown())).toEqual(["prompt 1", "answer 1", "prompt 2", "answer 3", "prompt 3"]);
  const { isQueued: _, ...entered } = { ...waiting, treeParent: "answer 3" };
  list.apply({ type: "message.updated", message: rowOf(entered) });
  list.apply({ type: "message.updated", message: rowOf(message("answer 4", { treeParent: "prompt 3" })) });
  expect(ids(list.shown())).toEqual(["prompt 1", "answer 1", "prompt 2", "answer 3", "prompt 3", "answer 4"]);
  expect(list.shown().at(4)?.parts).toEqual([text("prompt 3", 1, "Wait.")]);
});

test("news of the session leave an answer that streams where it is", () => {
  const list = begunList();
  list.apply({ type: "session.updated", session: { ...session, title: "A title", leafId: "prompt 2" } });
  expect(ids(list.shown())).toEqual(["prompt 1", "answer 1", "prompt 2", "answer 2"]);
});

test("a prompt that waits is shown after an undo as well, and what was undone is not", () => {
  const list = begunList();
  const undone = { ...session, leafId: "answer 1", revert: { messageId: "prompt 2", snapshot: "tree", files: [] } };
  list.apply({
    type: "message.updated",
    message: rowOf(message("answer 2", { treeParent: "prompt 2", completedAt: 3 })),
  });
  list.apply({ type: "session.updated", session: undone });
  expect(ids(list.shown())).toEqual(["prompt 1", "answer 1"]);
  list.apply({ type: "message.updated", message: rowOf(message("prompt 3", { isQueued: true })) });
  expect(ids(list.shown())).toEqual(["prompt 1", "answer 1", "prompt 3"]);
});

test("older pages stand in front, and what is newer than the page is kept", () => {
  const list = createMessageList();
  list.begin(conversation.slice(2), { ...session, leafId: "prompt 2" });
  expect(ids(list.shown())).toEqual(["prompt 2", "answer 2"]);
  list.apply({ type: "message.updated", message: { ...rowOf(conversation[2] ?? message("")), model: "mock/two" } });
  list.addOlder(conversation.slice(0, 3));
  expect(ids(list.shown())).toEqual(["prompt 1", "answer 1", "prompt 2", "answer 2"]);
  expect(list.shown()[2]?.model).toBe("mock/two");
});

test("a message that is removed leaves what stood before it", () => {
  const list = begunList();
  list.apply({ type: "message.removed", messageId: "answer 2" });
  expect(ids(list.shown())).toEqual(["prompt 1", "answer 1", "prompt 2"]);
});

test("a message that is removed from the end leaves the one before it there", () => {
  const list = createMessageList();
  list.begin(conversation.slice(0, 2), { ...session, leafId: "answer 1" });
  list.apply({ type: "message.removed", messageId: "answer 1" });
  expect(ids(list.shown())).toEqual(["prompt 1"]);
});

test("news of a message that is read later do not take its parts away", () => {
  const list = createMessageList();
  list.begin(conversation.slice(1), { ...session, leafId: "prompt 2" });
  list.apply({ type: "message.updated", message: { ...rowOf(message("prompt 1")), model: "mock/two" } });
  list.apply({ type: "message.part.updated", part: text("prompt 1", 2, "later") });
  list.apply({ type: "session.updated", session: { ...session, leafId: "prompt 2" } });
  list.addOlder(conversation.slice(0, 1));
  const parts = [text("prompt 1", 1, "prompt 1"), text("prompt 1", 2, "later")];
  expect(list.shown()[0]).toEqual({ ...message("prompt 1"), model: "mock/two", parts });
});

test("a place that is on no page is not known", () => {
  const list = begunList();
  expect([list.knows("answer 1"), list.knows(undefined), list.knows("far away")]).toEqual([true, true, false]);
});
