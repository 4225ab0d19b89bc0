import { expect, test } from "vitest";
import { parseUnifiedDiff } from "./unified-diff.ts";

test("reads changed, created, deleted and renamed files", () => {
  const diff = [
    "--- a/query.sql\t2024-01-01",
    "+++ b/query.sql\t2024-01-02",
    "@@ -1,3 +1,2 @@ select",
    " a",
    "--- a comment of SQL",
    "-b",
    "+c",
    "\\ No newline at end of file",
    "--- /dev/null",
    "+++ b/new.ts",
    "@@ -0,0 +1 @@",
    "+one",
    "--- a/old.ts",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-one",
    "diff --git a/a.ts b/b.ts",
    "rename from a.ts",
    "rename to b.ts",
    "--- a/a.ts",
    "+++ b/b.ts",
    "@@ -1 +1 @@",
    "-x",
    "+y",
  ].join("\n");
  expect(parseUnifiedDiff(diff).map(({ hunks, ...file }) => ({ ...file, lines: hunks.flatMap(linesOf) }))).toEqual([
    { before: "query.sql", after: "query.sql", lines: [" a", "--- a comment of SQL", "-b", "+c"] },
    { before: undefined, after: "new.ts", lines: ["+one"] },
    { before: "old.ts", after: undefined, lines: ["-one"] },
    { before: "a.ts", after: "b.ts", lines: ["-x", "+y"] },
  ]);
});

function linesOf({ lines }: { readonly lines: readonly { readonly sign: string; readonly text: string }[] }) {
  return lines.map(({ sign, text }) => sign + text);
}

test("what is no diff has no files", () => {
  expect(parseUnifiedDiff("Changed a.ts (+1 -1 lines).")).toEqual([]);
});
