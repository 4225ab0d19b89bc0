/** Proves that something is drawn again when it is due, and not before. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTicker } from "./ticker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(next: number | undefined) {
  const wish: { ms: number | undefined } = { ms: next };
  let ticks = 0;
  const ticker = createTicker({
    nextInMs: () => wish.ms,
    tick: () => {
      ticks += 1;
    },
  });
  return { ticker, wish, ticks: () => ticks };
}

test("it ticks as long as something is due", () => {
  const { ticker, wish, ticks } = setUp(100);
  ticker.schedule();
  vi.advanceTimersByTime(99);
  expect(ticks()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ticks()).toBe(1);
  wish.ms = undefined;
  vi.advanceTimersByTime(100);
  expect([ticks(), vi.getTimerCount()]).toEqual([2, 0]);
});

test("nothing is due, so there is no timer", () => {
  const { ticker } = setUp(undefined);
  ticker.schedule();
  expect(vi.getTimerCount()).toBe(0);
});

test("what is due sooner comes sooner, and what is asked for often still comes", () => {
  const { ticker, wish, ticks } = setUp(1_000);
  ticker.schedule();
  wish.ms = 80;
  ticker.schedule();
  for (let elapsed = 0; elapsed < 80; elapsed += 10) {
    ticker.schedule();
    vi.advanceTimersByTime(10);
  }
  expect([ticks(), vi.getTimerCount()]).toEqual([1, 1]);
});

test("no tick is closer than a frame", () => {
  const { ticker, ticks } = setUp(0);
  ticker.schedule();
  vi.advanceTimersByTime(160);
  expect(ticks()).toBe(10);
});

test("it stops for good", () => {
  const { ticker, ticks } = setUp(50);
  ticker.schedule();
  ticker.stop();
  ticker.schedule();
  vi.advanceTimersByTime(500);
  expect([ticks(), vi.getTimerCount()]).toEqual([0, 0]);
});
