import { createSeededRandom } from "@kedge/testing";
import { createTwoFilesPatch } from "diff";
import { expect, test } from "vitest";
import { diffContents } from "./diff-contents.ts";

const patchOf = (before: string, after: string) =>
  createTwoFilesPatch("a/x.txt", "b/x.txt", before, after, undefined, undefined, { context: 1_000 });

test("hunks become pairs with the lines around them", () => {
  const patch = [
    "--- a/src/x.txt",
    "+++ b/src/x.txt",
    "@@ -1,2 +1,2 @@",
    " one",
    "-two",
    "+2",
    "@@ -9 +9,2 @@",
    "-nine",
    "+9",
    "+9.5",
  ].join("\n");
  expect(diffContents(patch, "/work")).toEqual([
    { type: "diff", path: "/work/src/x.txt", oldText: "one\ntwo\n", newText: "one\n2\n" },
    { type: "diff", path: "/work/src/x.txt", oldText: "nine\n", newText: "9\n9.5\n" },
  ]);
});

test("a new file has no old text, a deleted one no new text, and a path elsewhere stays", () => {
  const made = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+x";
  const gone = "--- a//elsewhere/old.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file";
  expect(diffContents(`${made}\n${gone}`, "/work")).toEqual([
    { type: "diff", path: "/work/new.txt", oldText: null, newText: "x\n" },
    { type: "diff", path: "/elsewhere/old.txt", oldText: "x", newText: "" },
  ]);
});

test("lines that look like headers stay lines", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n-@@ -1 +1 @@\n+… 3 more lines";
  expect(diffContents(patch, "/")).toEqual([
    { type: "diff", path: "/x", oldText: "-- a\n@@ -1 +1 @@\n", newText: "++ b\n… 3 more lines\n" },
  ]);
});

test.each([
  ["no diff", "just words\n"],
  ["a cut hunk", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two"],
  ["a diff that says it was cut", "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n… 7 more lines"],
  ["a strange line inside a hunk", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\nwhat?"],
])("%s is no pair", (_name, patch) => {
  expect(diffContents(patch, "/")).toBeUndefined();
});

test("random texts come back whole from their diff", () => {
  const { seed, below } = createSeededRandom();
  const randomText = () => {
    const lines = Array.from({ length: below(8) }, () => ["a", "b", "-", "+", " ", "\\"][below(6)]);
    return lines.join("\n") + (below(2) === 0 && lines.length > 0 ? "\n" : "");
  };
  for (let round = 0; round < 300; round += 1) {
    const [before, after] = [randomText(), randomText()];
    if (before === after) continue;
    expect(diffContents(patchOf(before, after), "/"), `seed ${seed}, round ${round}`).toEqual([
      { type: "diff", path: "/x.txt", oldText: before, newText: after },
    ]);
  }
});
