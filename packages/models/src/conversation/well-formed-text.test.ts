/** Proves that half characters go and whole ones stay, however they are written. */
import { expect, test } from "vitest";
import { wellFormedJson, wellFormedText } from "./well-formed-text.ts";

test.each([
  ["plain ä漢👍", "plain ä漢👍"],
  ["\ud83d", ""],
  ["a\udc4db", "ab"],
  ["\ud83d\ud83d\udc4d\udc4d", "👍"],
])("text %j becomes %j", (text, expected) => {
  expect(wellFormedText(text)).toBe(expected);
});

test.each([
  [String.raw`{"a":"\ud83d\udc4d"}`, String.raw`{"a":"\ud83d\udc4d"}`],
  [String.raw`{"a":"\uD83D"}`, '{"a":""}'],
  [String.raw`{"a":"\udc4d\ud83d\udc4d\ud83dx"}`, String.raw`{"a":"\ud83d\udc4dx"}`],
  [String.raw`{"a":"C:\\udata\\ud83d"}`, String.raw`{"a":"C:\\udata\\ud83d"}`],
  [String.raw`{"a":"\\\ud83d"}`, String.raw`{"a":"\\"}`],
  ['{"a":"\ud83d"}', '{"a":""}'],
])("JSON text %s becomes %s", (json, expected) => {
  expect(wellFormedJson(json)).toBe(expected);
});
