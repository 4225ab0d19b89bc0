import { describe, expect, it } from "vitest";
import { diffCounts } from "./diff-file.ts";
import { readUnifiedDiff } from "./read-unified-diff.ts";

const filesOf = (text: string) => readUnifiedDiff(text).files;
const isWhollyRead = (text: string) => readUnifiedDiff(text).isWhole;

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
    expect(filesOf(text)).toEqual([
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
    expect(filesOf("@@\n-a\n+b\n@@ class X\n+c")).toEqual([
      {
        isBinary: false,
        hunks: [hunk, { ...hunk, heading: "class X", lines: [{ kind: "added", text: "c", newNumber: 1 }] }],
      },
    ]);
    expect(filesOf("-a\n+b\n")).toEqual([{ isBinary: false, hunks: [hunk] }]);
    expect(filesOf("no diff at all")).toEqual([]);
    expect(filesOf("")).toEqual([]);
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

  it("is read by the counts of its hunks, whatever a line looks like", () => {
    const diff = [
      ...["--- a/query.sql\t2024-01-01", "+++ b/query.sql\t2024-01-02", "@@ -1,3 +1,2 @@ select"],
      ...[" a", "--- a comment of SQL", "-b", "+c", "\\ No newline at end of file"],
      ...["--- /dev/null", "+++ b/new.ts", "@@ -0,0 +1 @@", "+one"],
      ...["--- a/old.ts", "+++ /dev/null", "@@ -1 +0,0 @@", "-one"],
      ...["diff --git a/a.ts b/b.ts", "rename from a.ts", "rename to b.ts"],
      ...["--- a/a.ts", "+++ b/b.ts", "@@ -1 +1 @@", "-x", "+y"],
      ...["diff --git a/moved.ts b/c.ts", "rename from moved.ts", "rename to c.ts"],
      ...["--- a/d.ts", "+++ b/d.ts", "@@ -1 +1 @@", "-x", "+y"],
    ].join("\n");
    const lines = filesOf(diff).map(({ hunks }) => hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text)));
    expect(filesOf(diff).map(({ oldPath, newPath }) => [oldPath, newPath])).toEqual([
      ["query.sql", "query.sql"],
      [undefined, "new.ts"],
      ["old.ts", undefined],
      ["a.ts", "b.ts"],
      ["moved.ts", "c.ts"],
      ["d.ts", "d.ts"],
    ]);
    expect(lines).toEqual([["a", "-- a comment of SQL", "b", "c"], ["one"], ["one"], ["x", "y"], [], ["x", "y"]]);
    expect(diffCounts(filesOf(diff))).toEqual({ added: 4, removed: 5 });
  });

  it("names files as git quotes them, also those without lines", () => {
    const quoted = '"a/\\303\\244\\t\\"x"';
    const git = `diff --git ${quoted} ${quoted.replace("a/", "b/")}`;
    const paths = (text: string) => filesOf(text).map(({ oldPath, newPath }) => [oldPath, newPath]);
    expect(paths(`${git}\nBinary files differ`)).toEqual([['ä\t"x', 'ä\t"x']]);
    expect(paths(`--- ${quoted}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x`)).toEqual([['ä\t"x', undefined]]);
    expect(paths(`diff --git a/x b/y\nrename from ${quoted}\nrename to "\\\\"`)).toEqual([['a/ä\t"x', "\\"]]);
    expect(paths("diff --git a/a b/c b/a b/c\nold mode 100644\nnew mode 100755")).toEqual([["a b/c", "a b/c"]]);
  });

  it("is complete when every hunk has the lines that it promises", () => {
    const whole = "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b";
    expect([whole, "", "words"].map((text) => readUnifiedDiff(text).isComplete)).toEqual([true, true, true]);
    const cut = [`${whole}\n… 7 more lines`, whole.slice(0, -3), `${whole.slice(0, -3)}\nwhat?`, "@@\n-a", "-a\n+b"];
    expect(cut.map((text) => readUnifiedDiff(text).isComplete)).toEqual([false, false, false, false, false]);
  });
});
