// Covers how conflict markers are told from text that only looks like them, and how regions keep their numbers.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { findMarkedRegions } from "./conflict-markers.ts";
import { createConflicts } from "./conflicts.ts";

const conflict = (ours: string, theirs: string, label = "branch") =>
  `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> ${label}\n`;

test("a region has its lines, both sides and their labels", () => {
  const text = `one\n${conflict("ours 1\nours 2\n", "theirs\n")}two\n${conflict("", "", "other branch")}`;
  expect(findMarkedRegions(text)).toEqual([
    {
      startLine: 2,
      endLine: 7,
      ours: "ours 1\nours 2\n",
      theirs: "theirs\n",
      oursLabel: "HEAD",
      theirsLabel: "branch",
    },
    { startLine: 9, endLine: 11, ours: "", theirs: "", oursLabel: "HEAD", theirsLabel: "other branch" },
  ]);
});

test("the base is told where git shows it, with the longer markers that it may have inside", () => {
  const base = "<<<<<<<<< Temporary 1\na\n=========\nb\n>>>>>>>>> Temporary 2\n";
  expect(findMarkedRegions(`<<<<<<< HEAD\nx\n||||||| merged\n${base}=======\ny\n>>>>>>> b`)).toEqual([
    { startLine: 1, endLine: 11, ours: "x\n", base, theirs: "y\n", oursLabel: "HEAD", theirsLabel: "b" },
  ]);
});

test("carriage returns belong to the sides and not to the labels", () => {
  expect(findMarkedRegions("<<<<<<< HEAD\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n")).toEqual([
    { startLine: 1, endLine: 5, ours: "x\r\n", theirs: "y\r\n", oursLabel: "HEAD", theirsLabel: "b" },
  ]);
});

test.each([
  ["no end", "<<<<<<< HEAD\nx\n=======\ny\n"],
  ["no middle", "<<<<<<< HEAD\nx\n>>>>>>> b\n"],
  ["no start", "x\n=======\ny\n>>>>>>> b\n"],
  ["two middles", "<<<<<<< HEAD\nTitle\n=======\n\n=======\ny\n>>>>>>> b\n"],
  ["a base after the middle", "<<<<<<< HEAD\nx\n=======\n|||||||\ny\n>>>>>>> b\n"],
  ["six and eight signs", "<<<<<< HEAD\nx\n======\ny\n>>>>>> b\n<<<<<<<< HEAD\nx\n========\ny\n>>>>>>>> b\n"],
  ["markers inside of lines", " <<<<<<< HEAD\nx\n =======\ny\n >>>>>>> b\n"],
  ["a label without a space", "<<<<<<<HEAD\nx\n=======\ny\n>>>>>>>b\n"],
  ["one inside of another", `<<<<<<< HEAD\n${conflict("x\n", "y\n")}=======\nz\n>>>>>>> b\n`],
])("%s is no region", (_, text) => {
  expect(findMarkedRegions(text)).toEqual([]);
});

test("a start without an end hides no region after it", () => {
  expect(findMarkedRegions(`<<<<<<< HEAD\nx\n${conflict("a\n", "b\n")}${conflict("c\n", "d\n")}`)).toMatchObject([
    { startLine: 3, endLine: 7, ours: "a\n" },
    { startLine: 8, endLine: 12, ours: "c\n" },
  ]);
});

test("what git itself marks is found with both sides whole", () => {
  const directory = mkdtempSync(join(tmpdir(), "kedge-merge-"));
  const { seed, below: pick } = createSeededRandom();
  let found = 0;
  try {
    for (let round = 0; round < 15; round += 1) {
      const base = Array.from({ length: 12 }, (_, line) => `line ${line}\n`);
      const change = (word: string) =>
        base.map((line) => (pick(4) === 0 ? `${word} ${pick(9)}\n`.repeat(pick(3)) : line)).join("");
      const sides = { ours: change("ours"), base: base.join(""), theirs: change("theirs") };
      for (const [name, text] of Object.entries(sides)) writeFileSync(join(directory, name), text);
      const merged = (favour: readonly string[]) => {
        writeFileSync(join(directory, "merged"), sides.ours);
        try {
          execFileSync("git", ["merge-file", ...favour, "merged", "base", "theirs"], { cwd: directory, stdio: "pipe" });
        } catch (error) {
          // The number of conflicts is its exit code.
          if (!(error instanceof Error && "status" in error && Number(error.status) < 128)) throw error;
        }
        return readFileSync(join(directory, "merged"), "utf8");
      };
      const marked = merged(["--diff3"]);
      const lines = marked.split(/(?<=\n)/);
      const regions = findMarkedRegions(marked);
      found += regions.length;
      for (const { startLine, endLine, ours } of regions.toReversed())
        lines.splice(startLine - 1, endLine - startLine + 1, ours);
      expect(lines.join(""), `seed ${seed}, round ${round}`).toBe(merged(["--ours"]));
    }
    expect(found, `seed ${seed}`).toBeGreaterThan(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("a region keeps its number when lines move, another is resolved, or a new one appears", () => {
  const conflicts = createConflicts();
  const first = conflict("a\n", "b\n");
  const second = conflict("c\n", "d\n");
  const ids = (text: string) => conflicts.record("/w/a", text).map(({ id, startLine }) => [id, startLine]);
  expect(ids(first + second)).toEqual([
    [1, 1],
    [2, 6],
  ]);
  expect(ids(`line\n${second}`)).toEqual([[2, 2]]);
  expect(conflicts.find(1)).toBeUndefined();
  expect(ids(conflict("e\n", "f\n") + second)).toEqual([
    [3, 1],
    [2, 6],
  ]);
  expect(conflicts.record("/w/b", second)).toMatchObject([{ id: 4, path: "/w/b" }]);
  expect(conflicts.list().map(({ id }) => id)).toEqual([3, 2, 4]);
  expect(ids("nothing\n")).toEqual([]);
  expect(conflicts.find(2)).toBeUndefined();
});

test("of two equal regions the one that is left keeps its own number", () => {
  const conflicts = createConflicts();
  const equal = conflict("a\n", "b\n");
  expect(conflicts.record("/w/a", equal + equal).map(({ id }) => id)).toEqual([1, 2]);
  conflicts.forget([1]);
  expect(conflicts.record("/w/a", `a\n${equal}`)).toMatchObject([{ id: 2, startLine: 2 }]);
});
