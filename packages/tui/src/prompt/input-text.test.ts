import { expect, test } from "vitest";
import { promptText } from "./input-text.ts";

test.each<readonly [string, string, string]>([
  ["control sequences", "a\u001b[31mred\u001b[0m\u0007b", "aredb"],
  ["line ends", "a\r\nb\rc", "a\nb\nc"],
  ["hidden text", "a\u{e0041}\u{e0042}\u200bb", "ab"],
  ["our own tokens", "a\u{10f000}b", "ab"],
])("%s do not come in", (_, given, expected) => {
  expect(promptText(given)).toBe(expected);
});

test.each(["👨‍👩‍👧‍👦 family\u200b", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 flag\u200b", "می‌خواهم\u200b", "a\tb\u200b", "e\u0301\u200b"])(
  "signs that need their joiners and tabs stay: %j",
  (given) => {
    expect(promptText(given)).toBe(given.slice(0, -1));
  },
);
