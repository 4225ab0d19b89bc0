/** Proves the sentences about failures and changed files. */
import type { FileChange } from "@kedge/protocol";
import { expect, test } from "vitest";
import { changesText, failureText } from "./told-texts.ts";

test("a failure says what to do next where somebody knows it", () => {
  const failure = { code: "server_error", message: "It broke.", retryable: true } as const;
  expect(failureText(failure)).toBe("It broke.");
  expect(failureText({ ...failure, recovery: "Try again." })).toBe("It broke. Try again.");
});

test("changed files are named, up to a number", () => {
  const files = Array.from({ length: 10 }, (_, index): FileChange => ({ path: `${index}`, status: "added" }));
  expect([changesText([]), changesText(files.slice(0, 1)), changesText(files)]).toEqual([
    "no files changed",
    "1 file changed: 0 (added)",
    "10 files changed: 0 (added), 1 (added), 2 (added), 3 (added), 4 (added), 5 (added), 6 (added), 7 (added), and 2 more",
  ]);
});
