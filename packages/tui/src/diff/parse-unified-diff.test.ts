import { createSeededRandom } from "@kedge/testing";
import { formatPatch, structuredPatch } from "diff";
import { describe, expect, it } from "vitest";
import { diffLines } from "./diff-lines.ts";
import { isWhollyRead, parseUnifiedDiff } from "./parse-unified-diff.ts";

describe("a unified diff", () => {
  it("is read with files, hunks and numbers", () => {
    const text = [
      "diff --git a/src/a.ts b/src/b.ts",
      "similarity index 90%",
      "rename from src/a.ts",
      "rename to src/b.ts",
      "--- a/src/a.ts\t2024-01-01",
      "+++ b/src/b.ts",
      "@@ -3,3 +3,3 @@ function f() {",
      " same",
      "--- looks like a head",
      "+++ looks like one too",
      "",
      "\\ No newline at end of file",
      "diff --git a/new.txt b/new.txt",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/new.txt",
      "@@ -0,0 +1 @@",
      "+hello",
      "",
    ].join("\n");
    expect(parseUnifiedDiff(text)).toEqual([
      {
        oldPath: "src/a.ts",
        newPath: "src/b.ts",
        isBinary: false,
        hunks: [
          {
            oldStart: 3,
            newStart: 3,
            heading: "function f() {",
            lines: [
              { kind: "context", text: "same", oldNumber: 3, newNumber: 3 },
              { kind: "removed", text: "-- looks like a head", oldNumber: 4 },
              { kind: "added", text: "++ looks like one too", newNumber: 4 },
              { kind: "context", text: "", oldNumber: 5, newNumber: 5, isUnended: true },
            ],
          },
        ],
      },
      {
        newPath: "new.txt",
        isBinary: false,
        hunks: [{ oldStart: 0, newStart: 1, heading: "", lines: [{ kind: "added", text: "hello", newNumber: 1 }] }],
      },
    ]);
  });

  it("is read without numbers, and without any head", () => {
    const lines = [
      { kind: "removed", text: "a", oldNumber: 1 },
      { kind: "added", text: "b", newNumber: 1 },
    ];
    const hunk = { oldStart: 1, newStart: 1, heading: "", lines };
    expect(parseUnifiedDiff("@@\n-a\n+b\n@@ class X\n+c")).toEqual([
      {
        isBinary: false,
        hunks: [hunk, { ...hunk, heading: "class X", lines: [{ kind: "added", text: "c", newNumber: 1 }] }],
      },
    ]);
    expect(parseUnifiedDiff("-a\n+b\n")).toEqual([{ isBinary: false, hunks: [hunk] }]);
    expect(parseUnifiedDiff("no diff at all")).toEqual([]);
    expect(parseUnifiedDiff("")).toEqual([]);
  });

  it("tells whether every line is shown or a head", () => {
    const git = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n";
    const hunk = "@@ -1,2 +1,2 @@ f()\n a\n--- b\n+++ c\n\\ No newline at end of file\n";
    const whole = ["", git, `${git}${hunk}`, `${git}${hunk}${git}${hunk}`, `--- a/x\n+++ b/x\n${hunk}`];
    expect(whole.filter((text) => !isWhollyRead(text))).toEqual([]);
    const cut = [
      ...["words", "-a\n+b", "@@\n-a\n+b", "--- a/x", "+++ b/x", "Binary files a and b differ"],
      ...[`${git}${hunk}+more`, `${git}${hunk}words`, `${git}words\n${hunk}`, `${git}${hunk.replace("No", "A")}`],
    ];
    expect(cut.filter(isWhollyRead)).toEqual([]);
  });

  it("says the same as the texts it was made of", () => {
    const random = createSeededRandom();
    const text = () =>
      Array.from(
        { length: random.below(25) },
        () => `${["a", "b", "-- x", "++ y", "", "@@ -1 +1 @@"][random.below(6)]}\n`,
      ).join("");
    for (let round = 0; round < 300; round++) {
      const before = text();
      const after = text();
      const patch = formatPatch(structuredPatch("a/f", "b/f", before, after, "", "", { context: 3 }));
      const lines = (files: ReturnType<typeof parseUnifiedDiff>) =>
        files.flatMap(({ hunks }) => hunks.map((hunk) => hunk.lines));
      expect(lines(parseUnifiedDiff(patch)), `seed ${random.seed}`).toEqual(lines([diffLines(before, after)]));
    }
  });

  it("of texts that have nothing in common is one replaced by the other", () => {
    const lines = (word: string) => Array.from({ length: 800 }, (_, index) => `${word} ${index}\n`).join("");
    const { hunks } = diffLines(lines("old"), lines("new"));
    expect(hunks.map((hunk) => [hunk.lines.length, hunk.lines.at(0), hunk.lines.at(-1)])).toEqual([
      [1600, { kind: "removed", text: "old 0", oldNumber: 1 }, { kind: "added", text: "new 799", newNumber: 800 }],
    ]);
  });
});
