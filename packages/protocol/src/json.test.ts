import { expect, test } from "vitest";
import { canonicalJson } from "./json.ts";

test("canonical JSON does not depend on the order of keys and leaves undefined out", () => {
  const left = { b: [1, { d: null, c: "ü\n" }], a: undefined, e: true };
  const right = { e: true, b: [1, { c: "ü\n", d: null }] };
  expect(canonicalJson(left)).toBe('{"b":[1,{"c":"ü\\n","d":null}],"e":true}');
  expect(canonicalJson(left)).toBe(canonicalJson(right));
  expect(JSON.parse(canonicalJson(left))).toEqual(right);
});
