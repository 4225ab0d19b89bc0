import { expect, test } from "vitest";
import { createDoomLoop } from "./doom-loop.ts";

test("the third equal call in a row is noticed, whatever the order of its keys", () => {
  const loop = createDoomLoop();
  expect(loop.repeats("read", { a: 1, b: 2 })).toBe(false);
  expect(loop.repeats("read", { b: 2, a: 1 })).toBe(false);
  expect(loop.repeats("read", { a: 1, b: 2 })).toBe(true);
});

test("another call in between starts the count anew, and so does an answer", () => {
  const loop = createDoomLoop();
  loop.repeats("read", { a: 1 });
  loop.repeats("read", { a: 1 });
  expect(loop.repeats("grep", { a: 1 })).toBe(false);
  expect(loop.repeats("read", { a: 1 })).toBe(false);
  loop.repeats("read", { a: 1 });
  loop.reset();
  expect(loop.repeats("read", { a: 1 })).toBe(false);
});
