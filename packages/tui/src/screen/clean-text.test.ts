/** Proves that nothing from outside moves the cursor, hides itself or breaks a line. */
import { withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { cleanLine, cleanText, judgedText } from "./clean-text.ts";

const clipboard = "\u001b]52;c;c2VjcmV0\u0007";
const title = "\u001b]0;owned\u001b\\";
const cursor = "\u001b[2J\u001b[1;1H";

test("text that flows keeps its lines and loses every sequence", () => {
  expect(cleanText(`a${clipboard}b${title}\n${cursor}c\td\u0007`)).toBe("ab\nc    d");
  expect(cleanText("one\rtwo\r\nthree")).toBe("one\ntwo\nthree");
  expect(cleanText("你好 👨‍👩‍👧 é")).toContain("你好");
});

test("what is judged shows what is unsafe in it", () => {
  const shown = judgedText(`rm -rf x${cursor}\u202e`);
  expect(shown).toContain("rm -rf x");
  expect(shown).toContain("␛");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone.
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test.each([
  ["  a name \n", "a name"],
  ["one\n\n  two\r\nthree", "one two three"],
  [`x${title}\ny`, "x y"],
  ["\t\n", ""],
  ["a\tb", "a    b"],
])("%j is the line %j", (text, line) => {
  expect(cleanLine(text)).toBe(line);
});

test("a long name of spaces is cleaned at once", () => {
  expect(withPatience(() => cleanLine(`a${" ".repeat(3_000_000)}b`).length)).toBe(3_000_002);
});
