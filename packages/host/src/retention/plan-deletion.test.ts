/** Proves which sessions a clean-up would delete, and that nothing goes that nobody asked for. */
import type { SessionFilter, SessionSummary, StorageUse } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type DeletionWish, planDeletion } from "./plan-deletion.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const now = 100 * dayMs;

function session(sessionId: string, ageDays: number, isArchived = false): SessionSummary {
  const updatedAt = now - ageDays * dayMs;
  const place = { projectId: "p", directory: "/p", title: sessionId, model: "m" };
  return { sessionId, ...place, isArchived, createdAt: updatedAt, updatedAt, lastSeq: 1 };
}

const sessions = [
  session("today", 0),
  session("week", 7),
  session("month", 30),
  session("old-archived", 60, true),
  session("oldest", 90),
];

const use: StorageUse = {
  ...{ databaseBytes: 1_100, freeBytes: 100, blobBytes: 0, sessions: 5, facts: 5, filesMissing: 0 },
  largest: sessions.map(({ sessionId, title }) => ({ sessionId, title, bytes: 200 })),
};

const store = {
  sessions: async ({ isArchived = false }: SessionFilter) =>
    sessions.filter((one) => one.isArchived === isArchived).toSorted((left, right) => right.updatedAt - left.updatedAt),
  storageUse: async () => use,
};

const planned = async (wish: DeletionWish) => (await planDeletion(store, wish, now)).map(({ sessionId }) => sessionId);

test.each<readonly [string, DeletionWish, readonly string[]]>([
  ["nothing without a wish", {}, []],
  ["by age", { olderThanDays: 29 }, ["oldest", "old-archived", "month"]],
  ["by number", { keep: 2 }, ["oldest", "old-archived", "month"]],
  ["old ones, but not the newest", { olderThanDays: 1, keep: 3 }, ["oldest", "old-archived"]],
  ["what was put away", { isArchived: true }, ["old-archived"]],
  ["what was put away long ago", { isArchived: true, olderThanDays: 70 }, []],
  ["the oldest until the rest fits", { sizeBytesMax: 700 }, ["oldest", "old-archived"]],
  ["by age and size", { olderThanDays: 80, sizeBytesMax: 700 }, ["oldest", "old-archived"]],
  ["nothing when all fits", { sizeBytesMax: 1_000 }, []],
  ["not what was used today, whatever its size", { sizeBytesMax: 1 }, ["oldest", "old-archived", "month", "week"]],
])("%s", async (_, wish, expected) => {
  expect(await planned(wish)).toEqual(expected);
});
