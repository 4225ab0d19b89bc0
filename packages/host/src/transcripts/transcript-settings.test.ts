/** Proves which forms of the setting are accepted, and what each of them keeps. */
import { expect, test } from "vitest";
import { readTranscriptSettings, transcriptsCheck } from "./transcript-settings.ts";

test.each([
  [undefined, []],
  [null, []],
  [false, []],
  [true, ["jsonl"]],
  [{}, []],
  [{ jsonl: true }, ["jsonl"]],
  [{ conversations: true }, ["conversations"]],
  [{ jsonl: true, conversations: true }, ["jsonl", "conversations"]],
  [{ jsonl: false, conversations: null }, []],
])("%j keeps %j", (value, forms) => {
  expect(transcriptsCheck(value ?? null, "transcripts")).toEqual([]);
  expect(readTranscriptSettings(value)).toEqual(forms);
});

test.each([
  ["yes", { path: "transcripts", expected: "true, false or an object", found: '"yes"' }],
  [["jsonl"], { path: "transcripts", expected: "true, false or an object", found: '["jsonl"]' }],
  [{ jsonl: "on" }, { path: "transcripts.jsonl", expected: "true or false", found: '"on"' }],
])("%j is refused", (value, problem) => {
  expect(transcriptsCheck(value, "transcripts")).toEqual([problem]);
});
