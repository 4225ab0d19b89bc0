/** Proves when a lost connection is tried again and when that is given up. */
import { expect, test } from "vitest";
import { createReturnPlan } from "../../src/mcp/connection/return-plan.ts";

test("a remote server is tried five times, each time later", () => {
  const plan = createReturnPlan({ isRemote: true, now: () => 0 });
  const delays = Array.from({ length: 6 }, () => plan.nextDelayMs());
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, undefined]);
  plan.connected();
  expect(plan.nextDelayMs()).toBe(1_000);
});

test("after ten minutes it is given up", () => {
  let time = 0;
  const plan = createReturnPlan({ isRemote: true, now: () => time });
  expect(plan.nextDelayMs()).toBe(1_000);
  time = 10 * 60_000;
  expect(plan.nextDelayMs()).toBeUndefined();
});

test("a process is started again three times in five minutes", () => {
  let time = 0;
  const plan = createReturnPlan({ isRemote: false, now: () => time });
  expect(plan.mayRestart()).toBe(true);
  plan.connected();
  expect([1, 2, 3, 4].map(() => plan.mayRestart())).toEqual([true, true, true, false]);
  time = 5 * 60_000;
  expect(plan.mayRestart()).toBe(true);
});
