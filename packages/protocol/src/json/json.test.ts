import { expect, test } from "vitest";
import { canonicalJson, flawOf, isSameJson, jsonDepthMax, parseCallInput, sortedKeys } from "./json.ts";

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

test("a member named __proto__ is a member like any other", () => {
  const value: unknown = JSON.parse('{"b":1,"__proto__":{"a":2}}');
  expect(canonicalJson(value)).toBe('{"__proto__":{"a":2},"b":1}');
  expect(isSameJson(JSON.parse('{"__proto__":{}}'), { a: 1 })).toBe(false);
  expect(isSameJson({ a: 1 }, JSON.parse('{"__proto__":{}}'))).toBe(false);
});

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

test.each([
  ['{"a":[1,"\\ud83d\\udc4d",{"b":null}],"c":-0}', undefined],
  [nested(jsonDepthMax), undefined],
  [nested(jsonDepthMax + 1), "depth"],
  [nested(1_000_000), "depth"],
  ['{"a":{"b":1e400}}', "number"],
  ['["\\ud800"]', "text"],
  ['{"a":{"__proto__":1}}', "name"],
  ['{"constructor":1,"toString":2}', undefined],
  [`["\\ud800",{"__proto__":1},1e400,${nested(1_000)}]`, "depth"],
  ['["\\ud800",{"__proto__":1},[1e400,{"__proto__":"\\ud800"}]]', "number"],
  ['["\\ud800",{"__proto__":1}]', "name"],
])("the flaw of a value is found without recursion: %.60s", (text, flaw) => {
  expect(flawOf(JSON.parse(text))).toBe(flaw);
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['{"a":', undefined],
  ["[1]", undefined],
  [`{"a":${nested(jsonDepthMax)}}`, undefined],
])("the input of a call is read: %.20s", (text, input) => {
  expect(parseCallInput(text)).toEqual(input);
});

test("keys come sorted by code units, also those that only a line break tells from others", () => {
  const lists = [
    ["b", "a", "c"],
    ["b", "a\nc"],
    ["b\na", "c"],
    ["b\na\nc"],
    ["Z", "a", "ä", "\u{1f600}", "\uffff", "10", "9"],
    [],
    ["x".repeat(2_000), "b"],
  ];
  for (let round = 0; round < 2; round++) {
    for (const keys of lists) expect(sortedKeys(keys)).toEqual(keys.toSorted());
    for (let form = 0; form < 1_200; form++) expect(sortedKeys([`k${form}`, "b", "a"])).toEqual(["a", "b", `k${form}`]);
  }
});
