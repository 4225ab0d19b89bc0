import { expect, test } from "vitest";
import { noEnd } from "./parse-envelope.ts";
import { parsePatch } from "./parse-patch.ts";
import type { FilePatch, HunkLine } from "./patch.ts";

const signs = { " ": "keep", "-": "remove", "+": "add" } as const;

/** Lines as they are written in a patch; a `$` at the end stands for a missing line ending. */
function hunkLines(...written: readonly string[]): readonly HunkLine[] {
  return written.map((line) => {
    const kind = signs[line[0] as keyof typeof signs];
    return line.endsWith("$") ? { kind, text: line.slice(1, -1), endsFile: true } : { kind, text: line.slice(1) };
  });
}

function files(patch: string | readonly string[]): readonly FilePatch[] {
  const parsed = parsePatch(typeof patch === "string" ? patch : patch.join("\n"));
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.files;
}

function problem(...lines: readonly string[]): string {
  const parsed = parsePatch(lines.join("\n"));
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(parsed.files)}`);
  return parsed.problem;
}

const end = "*** End Patch";

const envelope = [
  "*** Begin Patch",
  "*** Add File: new.txt",
  "+one",
  "+",
  "+two",
  "*** Update File: src/a.ts",
  "*** Move to: src/b.ts",
  "@@ class A {",
  "@@   run() {",
  "     const x = 1;",
  "-    return x;",
  "+    return x + 1;",
  "@@",
  "",
  " }",
  "+// end",
  "*** End of File",
  "*** Delete File: old.txt",
  "*** End Patch",
];

const envelopeFiles: readonly FilePatch[] = [
  { kind: "add", path: "new.txt", text: "one\n\ntwo\n" },
  {
    kind: "update",
    path: "src/a.ts",
    moveTo: "src/b.ts",
    hunks: [
      {
        header: "@@ class A {",
        anchors: ["class A {", "run() {"],
        atEnd: false,
        lines: hunkLines("     const x = 1;", "-    return x;", "+    return x + 1;"),
      },
      { header: "@@", anchors: [], atEnd: true, lines: hunkLines(" ", " }", "+// end") },
    ],
  },
  { kind: "delete", path: "old.txt", hunks: [] },
];

test("an envelope adds, updates, moves and deletes", () => {
  expect(files(envelope)).toEqual(envelopeFiles);
});

test.each([
  ["without its beginning", envelope.slice(1).join("\n")],
  ["in a code fence", ["```diff", ...envelope, "```", ""].join("\n")],
  ["in a shell command", ["apply_patch <<'EOF'", ...envelope, "EOF"].join("\n")],
  ["with carriage returns", envelope.join("\r\n")],
  [
    "with white space behind its markers",
    envelope.map((line) => (line.startsWith("***") ? `${line}  ` : line)).join("\n"),
  ],
  [
    "with empty lines between its parts",
    envelope.join("\n").replaceAll("\n***", "\n\n***").replace("\n\n*** Move", "\n*** Move"),
  ],
])("an envelope %s is the same", (_name, patch) => {
  expect(files(patch)).toEqual(envelopeFiles);
});

test("an envelope cut off at any line is refused, also in a code fence", () => {
  for (let length = 1; length < envelope.length; length += 1) {
    const cut = envelope.slice(0, length);
    expect(parsePatch(cut.join("\n")).ok, cut.at(-1)).toBe(false);
    expect(parsePatch(["```", ...cut, "```"].join("\n")).ok, cut.at(-1)).toBe(false);
  }
  expect(problem(...envelope.slice(0, -1))).toBe(noEnd);
});

test("a unified diff cut off inside of a hunk is refused", () => {
  const diff = ["--- a/x", "+++ b/x", "@@ -1,4 +1,4 @@", " a", "-b", "+c", " d", " "];
  for (let length = 3; length < diff.length - 1; length += 1)
    expect(problem(...diff.slice(0, length))).toMatch(length === 3 ? /cut off|changes nothing/ : /cut off/);
  const lines = hunkLines(" a", "-b", "+c", " d");
  for (const whole of [diff, [...diff.slice(0, -1), ""]]) expect(files(whole)).toMatchObject([{ hunks: [{ lines }] }]);
  expect(problem(...diff.slice(0, -1))).toBe(
    'The patch was cut off: fewer lines follow its last hunk header "@@ -1,4 +1,4 @@" than the header counts. Nothing was changed; send it again, with all lines or the right counts.',
  );
  const added = ["--- /dev/null", "+++ b/x", "@@ -0,0 +1,3 @@", "+a", "+b"];
  expect(problem(...added)).toMatch(/cut off/);
  expect(files(["--- a/x", "+++ b/x", "@@ -7 @@", "-a"])).toMatchObject([{ hunks: [{ lines: hunkLines("-a") }] }]);
});

test("a hunk needs no header, takes a range as a hint, and several sections of a file become one", () => {
  expect(
    files(["*** Update File: a", "-x", "+y", "*** Update File: a", "@@ -7,2 +7,2 @@ f() {", "-u", "+v", end]),
  ).toEqual([
    {
      kind: "update",
      path: "a",
      hunks: [
        { header: "", anchors: [], atEnd: false, lines: hunkLines("-x", "+y") },
        {
          header: "@@ -7,2 +7,2 @@ f() {",
          anchors: ["f() {"],
          statedLine: 7,
          atEnd: false,
          lines: hunkLines("-u", "+v"),
        },
      ],
    },
  ]);
});

test("carriage returns of added lines stay when the patch itself has none", () => {
  expect(files("*** Begin Patch\n*** Add File: a\n+one\r\n+two\r\n*** End Patch")).toEqual([
    { kind: "add", path: "a", text: "one\r\ntwo\r\n" },
  ]);
});

test("a unified diff changes, adds and deletes", () => {
  const patch = [
    "--- a/x.txt\t2024-01-01 00:00:00",
    "+++ b/x.txt",
    "@@ -1,3 +1,3 @@ heading",
    " one",
    "-two",
    "+2",
    "",
    "@@ -9 +9,2 @@",
    "-nine",
    "\\ No newline at end of file",
    "+9",
    "+10",
    "\\ No newline at end of file",
    "--- /dev/null",
    "+++ b/new.txt",
    "@@ -0,0 +1 @@",
    "+fresh",
    "--- a/gone.txt",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-bye",
  ];
  expect(files(patch)).toEqual([
    {
      kind: "update",
      path: "x.txt",
      hunks: [
        {
          header: "@@ -1,3 +1,3 @@ heading",
          anchors: ["heading"],
          statedLine: 1,
          atEnd: false,
          lines: hunkLines(" one", "-two", "+2"),
        },
        {
          header: "@@ -9 +9,2 @@",
          anchors: [],
          statedLine: 9,
          atEnd: false,
          lines: hunkLines("-nine$", "+9", "+10$"),
        },
      ],
    },
    { kind: "add", path: "new.txt", text: "fresh\n" },
    {
      kind: "delete",
      path: "gone.txt",
      hunks: [{ header: "@@ -1 +0,0 @@", anchors: [], statedLine: 1, atEnd: false, lines: hunkLines("-bye") }],
    },
  ]);
});

test("a unified diff between the marks of an envelope is understood", () => {
  const diff = ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"];
  expect(files(["*** Begin Patch", "", ...diff, "*** End Patch"])).toEqual(files(diff));
  expect(problem("*** Begin Patch", ...diff)).toBe(noEnd);
});

test("a diff of git renames, adds and deletes empty files, and quotes names", () => {
  const patch = [
    "From 1234 Mon Sep 17 00:00:00 2001",
    "Subject: something",
    "---",
    " 4 files changed",
    "",
    "diff --git a/a/old name.txt b/b/new name.txt",
    "similarity index 100%",
    "rename from a/old name.txt",
    "rename to b/new name.txt",
    "diff --git a/empty b/empty",
    "new file mode 100644",
    "index 0000000..e69de29",
    "diff --git a/b c.txt b/b c.txt",
    "deleted file mode 100644",
    "index e69de29..0000000",
    'diff --git "a/gr\\303\\274n.txt" "b/gr\\303\\274n.txt"',
    "index 1..2 100644",
    '--- "a/gr\\303\\274n.txt"',
    '+++ "b/gr\\303\\274n.txt"',
    "@@ -1 +1 @@",
    "-a",
    "+b",
    "-- ",
    "2.40.1",
  ];
  expect(files(patch)).toEqual([
    { kind: "update", path: "a/old name.txt", moveTo: "b/new name.txt", hunks: [] },
    { kind: "add", path: "empty", text: "" },
    { kind: "delete", path: "b c.txt", hunks: [] },
    {
      kind: "update",
      path: "grün.txt",
      hunks: [{ header: "@@ -1 +1 @@", anchors: [], statedLine: 1, atEnd: false, lines: hunkLines("-a", "+b") }],
    },
  ]);
});

test.each([
  ["--- x", "+++ x", { path: "x" }],
  ["--- a/x", "+++ a/x", { path: "a/x" }],
  ["--- x.orig", "+++ x", { path: "x" }],
  ["--- a/x", "+++ b/y", { path: "x", moveTo: "y" }],
])("the names of %s and %s are understood", (oldLine, newLine, expected) => {
  const [file] = files([oldLine, newLine, "@@ -1 +1 @@", "-a", "+b"]);
  expect(file).toMatchObject({ kind: "update", ...expected });
  expect(Object.keys(file ?? {}).sort()).toEqual(["hunks", "kind", ...Object.keys(expected)].sort());
});

test("removed and added lines that look like a file header stay lines, a header after a wrong count stays a header", () => {
  const lines = ["--- a/q.sql", "+++ b/q.sql", "@@ -1,2 +1,2 @@", " select", "--- old", "+++ new"];
  expect(files(lines)).toMatchObject([{ hunks: [{ lines: hunkLines(" select", "--- old", "+++ new") }] }]);
  const second = ["--- a/y", "+++ b/y", "@@ -1 +1 @@", "-a", "+b"];
  const wrong = ["--- a/x", "+++ b/x", "@@ -1,9 +1,9 @@", " keep", "-c", "+d", ...second];
  expect(files(wrong)).toMatchObject([
    { path: "x", hunks: [{ lines: hunkLines(" keep", "-c", "+d") }] },
    { path: "y", hunks: [{ lines: hunkLines("-a", "+b") }] },
  ]);
  const generous = ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-c", "+d", "+e", "Index: y", "=====", ...second];
  expect(files(generous)).toMatchObject([{ hunks: [{ lines: hunkLines("-c", "+d", "+e") }] }, { path: "y" }]);
});

const markers = "*** Add File: path, *** Update File: path, *** Delete File: path, *** Move to: path, *** End Patch";

test.each([
  [
    ["some words"],
    "The patch contains no file. Begin with *** Begin Patch and *** Update File: path, or with --- a/path and +++ b/path.",
  ],
  [["*** Begin Patch", "*** End Patch"], "The patch contains no file; add at least one *** Update File: path section."],
  [["*** Begin Patch", "+x"], `Line 2 of the patch: "+x" comes before the first file; begin with one of: ${markers}.`],
  [["*** Update File:"], 'Line 1 of the patch: "*** Update File:" has no path; put it after the colon.'],
  [
    ["*** Begin Patch", "*** Change File: a"],
    `Line 2 of the patch: "*** Change File: a" is not a marker; use one of: ${markers}.`,
  ],
  [
    ["*** Add File: a", "+x", "*** Move to: b"],
    "Line 3 of the patch: *** Move to belongs below the *** Update File line of the file to move.",
  ],
  [["*** Add File: a", "+x", "y"], 'Line 3 of the patch: every line of the new file a begins with +, unlike "y".'],
  [
    ["*** Delete File: a", "-x"],
    'Line 2 of the patch: *** Delete File takes no lines, but "-x" follows; leave it out.',
  ],
  [
    ["*** Update File: a", "@@", "-x", "y"],
    'Line 4 of the patch: "y" begins with none of space, - and +; context lines begin with a space.',
  ],
  [
    ["*** Update File: a", end],
    "a is to be updated, but no hunk follows; write @@ and lines that begin with a space, - or +.",
  ],
  [
    ["*** Update File: a", "-x", "@@ f()", " y", end],
    'Hunk 2 of a ("@@ f()") changes nothing; begin removed lines with - and added lines with +.',
  ],
  [
    ["@@ -1 +1 @@", "-x"],
    'Line 1 of the patch: "@@ -1 +1 @@" comes before the first file; begin with --- a/path and +++ b/path.',
  ],
  [
    ["--- a/a", "+++ b/a", "-x"],
    'Line 3 of the patch: "-x" belongs to no hunk; write a line @@ -1,2 +1,2 @@ above the hunk.',
  ],
  [
    ["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-x", "+y", "z"],
    'Line 6 of the patch: "z" begins with none of space, - and +; context lines begin with a space.',
  ],
  [
    ["--- a/a", "+++ b/a", "@@ -10,3 +10,4 @@", "+y", "@@ -20 +21 @@", "-x", "+z"],
    'Hunk 1 of a ("@@ -10,3 +10,4 @@") names old lines but shows none; add context lines that begin with a space.',
  ],
  [
    ["--- /dev/null", "+++ /dev/null", "@@ -1 +1 @@", "+y"],
    "Line 1 of the patch: both names are /dev/null; name the file on one side.",
  ],
  [
    ["--- /dev/null", "+++ b/a", "@@ -1 +1 @@", " x", "+y"],
    "Line 1 of the patch: a is a new file, so all of its lines begin with +; to change an existing file write --- a/a.",
  ],
  [
    ["diff --git a/x y b/z", "@@ -1 +1 @@", "+y"],
    "Line 1 of the patch: the names of the file cannot be read; write --- a/path and +++ b/path.",
  ],
  [
    ["diff --git a/x b/y", "copy from x", "copy to y"],
    "Line 2 of the patch: copies cannot be applied; add the new file with all of its lines.",
  ],
  [
    ["diff --git a/x b/x", "GIT binary patch"],
    "Line 2 of the patch: binary files cannot be patched; change them with bash.",
  ],
  [
    ["diff --git a/x b/x", "Binary files a/x and b/x differ"],
    "Line 2 of the patch: binary files cannot be patched; change them with bash.",
  ],
  [
    ["diff --git a/x b/x", "old mode 100644", "new mode 100755"],
    "x is to be updated, but no hunk follows; write @@ and lines that begin with a space, - or +.",
  ],
  [
    [...Array.from({ length: 101 }, (_, index) => `*** Delete File: ${index}`), end],
    "The patch touches 101 files; at most 100 are possible. Send it in parts.",
  ],
  [
    [`*** Add File: a\n+${"x".repeat(5 * 1_024 * 1_024)}`],
    "The patch is longer than 5242880 characters; send it in parts.",
  ],
])("a patch that makes no sense is refused in words: %#", (lines, expected) => {
  expect(problem(...lines)).toBe(expected);
});
