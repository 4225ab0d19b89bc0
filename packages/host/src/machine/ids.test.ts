/** Proves that ids sort by creation, also within one millisecond and when the clock goes back. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createIds } from "./ids.ts";

test("ids sort in the order they were made", () => {
  const times = [1000, 1000, 1000, 990, 1001, 2 ** 41];
  let call = 0;
  const newId = createIds(() => times[call++] ?? 2 ** 41, randomBytes);
  const ids = Array.from({ length: 200 }, () => newId("ses_"));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^ses_[0-9a-z]{23}$/);
});

test("two processes that start in the same millisecond make different ids", () => {
  const first = createIds(() => 5, randomBytes);
  const second = createIds(() => 5, randomBytes);
  expect(first("run_")).not.toBe(second("run_"));
});
