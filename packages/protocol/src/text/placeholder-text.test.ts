/** Which texts count as none. */
import { expect, test } from "vitest";
import { withoutPlaceholder } from "./placeholder-text.ts";

test.each([
  [undefined, ""],
  ["", ""],
  [" ", ""],
  [".", ""],
  ["...", ""],
  [" . ", ""],
  ["…", ""],
  ["\t.\r\n…", ""],
  ["hello.", "hello."],
  [". hello .", ". hello ."],
  ["  hello  ", "hello"],
])("%j is shown as %j", (text, shown) => {
  expect(withoutPlaceholder(text)).toBe(shown);
});
