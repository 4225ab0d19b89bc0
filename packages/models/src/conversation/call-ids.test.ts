/** Proves that ids in the nine-character form are stable and never meet. */
import { expect, test } from "vitest";
import { createCallIds } from "./call-ids.ts";

const nine = () => createCallIds(["nine-character-call-ids"]);

test("thousands of ids stay apart, and the same order gives the same ids", () => {
  const originals = Array.from({ length: 5_000 }, (_, index) => `call_${index}`);
  const [first, second] = [nine(), nine()];
  const ids = originals.map(first.claim);
  expect(ids.every((id) => /^[A-Za-z0-9]{9}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(originals.length);
  expect(originals.map(second.claim)).toEqual(ids);
});

test("an id that is taken already gets another, also when a vendor chose it", () => {
  const ids = nine();
  const made = ids.claim("call_1");
  const others = [ids.claim(made), ids.claim("call_1"), ids.claim(made)];
  expect(new Set([made, ...others]).size).toBe(4);
  expect(others.every((id) => /^[A-Za-z0-9]{9}$/.test(id))).toBe(true);
});

test("without that wish ids stay as they are, and a repeated one is numbered", () => {
  const ids = createCallIds();
  expect(["call_0", "x", "call_0", "call_0"].map(ids.claim)).toEqual(["call_0", "x", "call_0_2", "call_0_3"]);
});
