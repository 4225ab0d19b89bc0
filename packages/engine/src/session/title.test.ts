/** What a model may answer when it is asked for a title, and what becomes of it. */
import { expect, test } from "vitest";
import { readTitle } from "./title.ts";

test.each([
  ["<title>Retry logic of the uploader</title>", "Retry logic of the uploader"],
  ["Sure!\n<title>Retry logic</title>", "Retry logic"],
  ["<title>Never closed", "Never closed"],
  ["<TITLE>Loud</TITLE>", "Loud"],
  ["Only a line.", "Only a line"],
  ['"Quoted name"', "Quoted name"],
  ["**Bold name**", "Bold name"],
  ["First line\nsecond line", "First line"],
  ["<title>two\nlines</title>", "two"],
  ["a\u001b[31mred", "a [31mred"],
  [`${"long ".repeat(20)}`, "long long long long long long long long long long"],
  [`${"😀".repeat(60)}`, "😀".repeat(50)],
  ["Aufgabe: größer!", "Aufgabe: größer"],
  ["", undefined],
  ["<title></title>", undefined],
  ["...", undefined],
])("%j is called %j", (answer, title) => {
  expect(readTitle(answer)).toBe(title);
});
