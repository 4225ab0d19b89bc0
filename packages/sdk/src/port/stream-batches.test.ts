/** Proves when items are sent: at once after a pause, together within a window, and not at all to a reader behind. */
import type { Event } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StreamItem } from "./port-messages.ts";
import { batchesUntakenMax, batchWindowMs, createStreamBatches, itemsPerBatchMax } from "./stream-batches.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const delta = (text: string): Event => ({
  kind: "signal",
  signal: { type: "text.delta", sessionId: "ses_1", stepId: "stp_1", text },
});
const notice = (text: string): Event => ({ kind: "signal", signal: { type: "notice", sessionId: "ses_1", text } });

function startBatches() {
  const sent: (readonly StreamItem[])[] = [];
  return { sent, batches: createStreamBatches((items) => sent.push(items)) };
}

test("the first after a pause goes at once, what follows within the window together and merged", () => {
  const { sent, batches } = startBatches();
  batches.put(delta("a"));
  expect(sent).toEqual([[delta("a")]]);
  for (const item of [delta("b"), delta("c"), notice("n"), delta("d"), delta("e")]) batches.put(item);
  vi.advanceTimersByTime(batchWindowMs - 1);
  expect(sent.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(sent.slice(1)).toEqual([[delta("bc"), notice("n"), delta("de")]]);
  batches.put(delta("f"));
  expect(sent.length).toBe(2);
  vi.advanceTimersByTime(batchWindowMs);
  expect(sent.slice(2)).toEqual([[delta("f")]]);
  vi.advanceTimersByTime(batchWindowMs);
  batches.put(delta("g"));
  expect(sent.slice(3)).toEqual([[delta("g")]]);
});

test("a reader behind gets no more until it took a batch, and then what waited", async () => {
  const { sent, batches } = startBatches();
  for (let count = 0; count < batchesUntakenMax; count += 1) {
    expect(batches.room()).toBeUndefined();
    batches.put(delta(String(count)));
    vi.advanceTimersByTime(batchWindowMs);
  }
  const room = batches.room();
  expect(room).toBeInstanceOf(Promise);
  batches.put(delta("x"));
  vi.advanceTimersByTime(batchWindowMs * 10);
  expect(sent.length).toBe(batchesUntakenMax);
  batches.took();
  expect(sent.slice(batchesUntakenMax)).toEqual([[delta("x")]]);
  expect(batches.room()).toBeInstanceOf(Promise);
  batches.took();
  await room;
  expect(batches.room()).toBeUndefined();
});

test("a source that never pauses is sent in batches of bounded size", () => {
  const { sent, batches } = startBatches();
  for (let count = 0; count < itemsPerBatchMax * 2 + 1; count += 1) batches.put(notice(String(count)));
  expect(sent.map(({ length }) => length)).toEqual([1, itemsPerBatchMax, itemsPerBatchMax]);
});

test("the end sends what waits; what is closed sends nothing and holds nobody up", async () => {
  const { sent, batches } = startBatches();
  for (const text of ["a", "b"]) batches.put(notice(text));
  batches.flush();
  batches.flush();
  expect(sent).toEqual([[notice("a")], [notice("b")]]);
  for (let count = 2; count < batchesUntakenMax; count += 1) {
    batches.put(notice("c"));
    batches.flush();
  }
  const room = batches.room();
  batches.put(notice("late"));
  batches.close();
  await room;
  batches.put(notice("later"));
  vi.advanceTimersByTime(batchWindowMs * 2);
  expect([sent.length, batches.room(), vi.getTimerCount()]).toEqual([batchesUntakenMax, undefined, 0]);
});
