/** Whether a leader still lives, by the beats that a worker sees: on a clock that only goes forward. */
import { expect, test } from "vitest";
import { watchBeats } from "../../src/teams/index.ts";

function watch() {
  const at = { beat: 1_000 as number | undefined, now: 0 };
  const isHeard = watchBeats(() => at.beat, { silenceMs: 60_000, now: () => at.now });
  return { at, isHeard };
}

test("a leader that is silent for a minute is gone, and one that beats is not", () => {
  const { at, isHeard } = watch();
  expect(isHeard()).toBe(true);
  at.now = 59_999;
  expect(isHeard()).toBe(true);
  at.beat = 2_000;
  at.now = 119_000;
  expect(isHeard()).toBe(true);
  at.now = 178_999;
  expect(isHeard()).toBe(true);
  at.now = 179_000;
  expect(isHeard()).toBe(false);
});

test("a clock that was set forward or back by hours ends nobody", () => {
  const { at, isHeard } = watch();
  expect(isHeard()).toBe(true);
  for (const beat of [10_000_000_000, 5, 10_000_000_000]) {
    at.now += 500;
    at.beat = beat;
    expect(isHeard()).toBe(true);
  }
});

test("a team whose file is gone has no leader", () => {
  const { at, isHeard } = watch();
  at.beat = undefined;
  expect(isHeard()).toBe(false);
});
