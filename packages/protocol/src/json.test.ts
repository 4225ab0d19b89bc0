import { expect, test } from "vitest";
import { canonicalJson, isSameJson } from "./json.ts";

test("canonical JSON does not depend on the order of keys and leaves undefined out", () => {
  const left = { b: [1, { d: null, c: "ü\n" }], a: undefined, e: true };
  const right = { e: true, b: [1, { c: "ü\n", d: null }] };
  expect(canonicalJson(left)).toBe('{"b":[1,{"c":"ü\\n","d":null}],"e":true}');
  expect(canonicalJson(left)).toBe(canonicalJson(right));
  expect(JSON.parse(canonicalJson(left))).toEqual(right);
});

test.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ["1", 1, false],
])("%j and %j are the same: %s", (left, right, expected) => {
  expect(isSameJson(left, right)).toBe(expected);
  expect(isSameJson(right, left)).toBe(expected);
});
