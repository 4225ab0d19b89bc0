import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { createApplyPatchTool } from "./apply-patch.ts";

const tool = createApplyPatchTool();
const end = "*** End Patch";
let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

/** The end of an envelope is written for those who left it out. */
function parsed(lines: readonly string[]) {
  const isOpen = lines[0]?.startsWith("***") && lines.at(-1) !== end;
  const result = tool.parse({ patch: [...lines, ...(isOpen ? [end] : [])].join("\n") });
  if (!result.ok) throw new Error(result.report);
  return result.input;
}

const apply = (lines: readonly string[], context: ToolContext = workshop.newContext()): Promise<ToolOutput> =>
  tool.run(parsed(lines), context);
const validate = async (lines: readonly string[]) => tool.validate?.(parsed(lines), workshop.newContext());
const preview = async (lines: readonly string[]) => tool.preview?.(parsed(lines), workshop.newContext());

/** Puts a file and lets the model have read it. */
async function known(name: string, content: string): Promise<string> {
  const path = workshop.put(name, content);
  await workshop.run("read", { filePath: name });
  return path;
}

const everything = [
  "*** Begin Patch",
  "*** Update File: src/a.txt",
  "@@",
  " one",
  "-two",
  "+2",
  "+2.5",
  "*** Update File: moved.txt",
  "*** Move to: new/place/moved.txt",
  "-old",
  "+new",
  "*** Update File: same.txt",
  "*** Move to: other.txt",
  "*** Add File: made/b.txt",
  "+fresh",
  "*** Delete File: gone.txt",
  "*** End Patch",
];

const everythingDiff = `--- a/src/a.txt
+++ b/src/a.txt
@@ -1,3 +1,4 @@
 one
-two
+2
+2.5
 three
diff --git a/moved.txt b/new/place/moved.txt
rename from moved.txt
rename to new/place/moved.txt
--- a/moved.txt
+++ b/new/place/moved.txt
@@ -1,1 +1,1 @@
-old
+new
diff --git a/same.txt b/other.txt
rename from same.txt
rename to other.txt
--- /dev/null
+++ b/made/b.txt
@@ -0,0 +1,1 @@
+fresh
--- a/gone.txt
+++ /dev/null
@@ -1,1 +0,0 @@
-bye`;

async function putEverything() {
  await known("src/a.txt", "one\ntwo\nthree\n");
  chmodSync(await known("moved.txt", "\uFEFFold\r\n"), 0o750);
  await known("same.txt", "same\n");
  await known("gone.txt", "bye\n");
}

test("one patch changes, moves, adds and deletes files and shows the whole diff before and after", async () => {
  await putEverything();
  expect(await validate(everything)).toBeUndefined();
  expect((await preview(everything))?.replaceAll("\r", "")).toBe(everythingDiff);
  const result = await apply(everything);
  expect({
    ...result,
    metadata: { ...result.metadata, diff: String(result.metadata?.["diff"]).replaceAll("\r", "") },
  }).toEqual({
    output: [
      "Changed src/a.txt (+2 -1 lines).",
      "Moved moved.txt to new/place/moved.txt (+1 -1 lines).",
      "Moved same.txt to other.txt (+0 -0 lines).",
      "Created made/b.txt (+1 -0 lines).",
      "Deleted gone.txt (+0 -1 lines).",
    ].join("\n"),
    title: "src/a.txt and 4 more",
    metadata: {
      diff: everythingDiff,
      additions: 4,
      deletions: 3,
      firstChangedLine: 2,
      op: "update",
      diagnostics: [],
      perFileResults: [
        { path: "src/a.txt", op: "update", additions: 2, deletions: 1, firstChangedLine: 2 },
        {
          path: "moved.txt",
          op: "move",
          additions: 1,
          deletions: 1,
          firstChangedLine: 1,
          movedTo: "new/place/moved.txt",
        },
        { path: "same.txt", op: "move", additions: 0, deletions: 0, firstChangedLine: 1, movedTo: "other.txt" },
        { path: "made/b.txt", op: "create", additions: 1, deletions: 0, firstChangedLine: 1 },
        { path: "gone.txt", op: "delete", additions: 0, deletions: 1, firstChangedLine: 1 },
      ],
    },
  });
  expect(workshop.text("src/a.txt")).toBe("one\n2\n2.5\nthree\n");
  expect(workshop.text("new/place/moved.txt")).toBe("\uFEFFnew\r\n");
  expect(statSync(workshop.at("new/place/moved.txt")).mode & 0o7777).toBe(0o750);
  expect(workshop.text("other.txt")).toBe("same\n");
  expect(workshop.text("made/b.txt")).toBe("fresh\n");
  expect(readdirSync(workshop.directory).sort()).toEqual(["made", "new", "other.txt", "src"]);
  expect(readdirSync(workshop.at("src"))).toEqual(["a.txt"]);
});

test("own changes count as read, under the new name too", async () => {
  await putEverything();
  await apply(everything);
  const next = [
    "*** Update File: new/place/moved.txt",
    "-new",
    "+newer",
    "*** Update File: made/b.txt",
    "-fresh",
    "+stale",
  ];
  expect((await apply(next)).isError).toBeUndefined();
  expect(workshop.text("new/place/moved.txt")).toBe("\uFEFFnewer\r\n");
});

test("a unified diff is applied with its renames and deletions, mode bits stay", async () => {
  const path = await known("run.sh", "echo a\necho b\n");
  chmodSync(path, 0o755);
  await known("old.txt", "1\n2\n");
  const result = await apply([
    "--- a/run.sh",
    "+++ b/run.sh",
    "@@ -40,2 +40,2 @@",
    " echo a",
    "-echo b",
    "+echo c",
    "--- a/old.txt",
    "+++ /dev/null",
    "@@ -1,2 +0,0 @@",
    "-1",
    "-2",
  ]);
  expect(result.output).toBe("Changed run.sh (+1 -1 lines).\nDeleted old.txt (+0 -2 lines).");
  expect(workshop.text("run.sh")).toBe("echo a\necho c\n");
  expect(statSync(path).mode & 0o7777).toBe(0o755);
  expect(existsSync(workshop.at("old.txt"))).toBe(false);
});

test("context that differs at line ends is told in a warning", async () => {
  await known("a.txt", "one  \ntwo\n");
  expect((await apply(["*** Update File: a.txt", " one", "-two", "+2"])).output).toBe(
    "Changed a.txt (+1 -1 lines).\nWarnings:\n- Hunk 1 of a.txt matched but for white space at line ends; those of the file stay.",
  );
});

test("every problem of every file is named, and nothing is written", async () => {
  await known("good.txt", "good\n");
  await known("bad.txt", "something(1);\n");
  workshop.put("unread.txt", "x\n");
  await known("stale.txt", "x\n");
  workshop.put("stale.txt", "y\n");
  await known("partly.txt", "1\n2\n");
  const patch = [
    "*** Update File: good.txt",
    "-good",
    "+better",
    "*** Update File: bad.txt",
    "-something(2);",
    "+x",
    "*** Delete File: unread.txt",
    "*** Update File: stale.txt",
    "-x",
    "+z",
    "*** Add File: good.txt/below.txt",
    "+x",
  ];
  const problems = [
    "Hunk 1 of bad.txt does not fit: its context and removed lines are not in the file in this order. Copy the lines as they are. Most similar, from line 1:\nsomething(1);",
    "unread.txt exists but has not been read in this session; read it first.",
    "stale.txt has changed since it was last read; read it again first.",
    `A part of ${workshop.at("good.txt/below.txt")} is a file, not a directory.`,
    "Nothing was written.",
  ].join("\n");
  expect(await validate(patch)).toBe(problems);
  expect(await preview(patch)).toBeUndefined();
  expect(await apply(patch)).toEqual({ output: problems, isError: true, title: "good.txt and 4 more" });
  expect(workshop.text("good.txt")).toBe("good\n");
});

test.each([
  [["*** Update File: none.txt", "-a", "+b"], "none.txt does not exist; check the path, or add it."],
  [["*** Delete File: none.txt"], "none.txt does not exist; check the path, or add it."],
  [["*** Add File: a.txt", "+x"], "a.txt exists already; update it instead of adding it."],
  [
    ["*** Update File: a.txt", "*** Move to: b.txt", "-one", "+1"],
    "b.txt exists already; choose another name or delete it first.",
  ],
  [["*** Update File: a.txt", "-one", "+one"], "Nothing would change in a.txt; leave it out."],
  [
    ["*** Update File: a.txt", "-one", "+1", "*** Delete File: ./a.txt"],
    "./a.txt is changed twice, perhaps under two names; put it all into one section.",
  ],
  [
    ["--- a/a.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-one"],
    "The hunks leave lines of a.txt, so it cannot be deleted.",
  ],
])("what cannot be done with a file is refused in words: %#", async (patch, problem) => {
  await known("a.txt", "one\ntwo\n");
  await known("b.txt", "");
  expect(await validate(patch)).toBe(`${problem}\nNothing was written.`);
  expect((await apply(patch)).isError).toBe(true);
  expect([workshop.text("a.txt"), workshop.text("b.txt")]).toEqual(["one\ntwo\n", ""]);
});

test("a generated file is not changed by hand, unless that is allowed, but may be moved and deleted", async () => {
  await known("made.txt", "// Code generated by protoc. DO NOT EDIT.\none\n");
  const patch = ["*** Update File: made.txt", "-one", "+1"];
  expect(await validate(patch)).toMatch(/^made\.txt is a generated file .*\nNothing was written\.$/);
  const unguarded = createApplyPatchTool({ blockGenerated: () => false });
  expect((await unguarded.run(parsed(patch), workshop.newContext())).isError).toBeUndefined();
  expect(await validate(["*** Update File: made.txt", "*** Move to: b.txt"])).toBeUndefined();
  expect(await validate(["*** Delete File: made.txt"])).toBeUndefined();
});

test("only the first problems are told", async () => {
  const patch = Array.from({ length: 8 }, (_, index) => `*** Delete File: ${index}`);
  expect((await validate(patch))?.split("\n").slice(4)).toEqual([
    "4 does not exist; check the path, or add it.",
    "… and 3 more problems.",
    "Nothing was written.",
  ]);
});

test("when one file cannot be written, all others are put back as they were", async () => {
  await putEverything();
  mkdirSync(workshop.at("full"));
  const context = workshop.newContext();
  // The name under which the content is written first is taken, so this write fails whoever runs the test.
  const taken = `.kedge-${process.pid}-${hashContent(context.callId).slice(0, 16)}.tmp`;
  writeFileSync(workshop.at(`full/${taken}`), "");
  const before = readdirSync(workshop.directory).sort();
  const patch = [...everything.slice(0, -1), "*** Add File: deep/er/c.txt", "+c", "*** Add File: full/d.txt", "+d"];
  const result = await apply(patch, context);
  expect(result.isError).toBe(true);
  expect(result.output.endsWith(" Nothing was written.")).toBe(true);
  expect(readdirSync(workshop.directory).sort()).toEqual(before);
  expect(readdirSync(workshop.at("full"))).toEqual([taken]);
  expect(["src/a.txt", "moved.txt", "same.txt", "gone.txt"].map(workshop.text)).toEqual([
    "one\ntwo\nthree\n",
    "\uFEFFold\r\n",
    "same\n",
    "bye\n",
  ]);
  expect(statSync(workshop.at("moved.txt")).mode & 0o7777).toBe(0o750);
  // What the model knows of the files is still true.
  expect((await apply(everything)).isError).toBeUndefined();
});

test("a link that leads out of the working directory is refused, one inside of it is followed", async () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "kedge-outside-")));
  try {
    writeFileSync(join(outside, "secret.txt"), "one\n");
    symlinkSync(join(outside, "secret.txt"), workshop.at("file-link.txt"));
    symlinkSync(outside, workshop.at("directory-link"));
    await workshop.run("read", { filePath: "file-link.txt" });
    const refused = (name: string, target: string) =>
      `${name} leads through a symbolic link out of the working directory, to ${join(outside, target)}; name that path.\nNothing was written.`;
    const update = ["*** Update File: file-link.txt", "-one", "+1"];
    expect(await validate(update)).toBe(refused("file-link.txt", "secret.txt"));
    expect((await apply(update)).isError).toBe(true);
    const add = ["*** Add File: directory-link/new.txt", "+x"];
    expect((await apply(add)).output).toBe(refused("directory-link/new.txt", "new.txt"));
    await known("a.txt", "one\n");
    const move = ["*** Update File: a.txt", "*** Move to: directory-link/new.txt"];
    expect((await apply(move)).output).toBe(refused("directory-link/new.txt", "new.txt"));
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("one\n");
    // Named by its true path, the file is a matter of permission.
    expect((await apply([`*** Update File: ${join(outside, "secret.txt")}`, "-one", "+1"])).isError).toBeUndefined();

    symlinkSync("a.txt", workshop.at("alias.txt"));
    expect(await validate(["*** Delete File: alias.txt"])).toBe(
      "alias.txt is a symbolic link; move or delete it with bash.\nNothing was written.",
    );
    expect((await apply(["*** Update File: alias.txt", "-one", "+1"])).isError).toBeUndefined();
    expect(workshop.text("a.txt")).toBe("1\n");
    expect(lstatSync(workshop.at("alias.txt")).isSymbolicLink()).toBe(true);
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});

test("patches of the same files that start together neither wait for each other forever nor lose a change", async () => {
  await known("a.txt", "one\ntwo\n");
  await known("b.txt", "one\ntwo\n");
  const update = (name: string, before: string, after: string) => [
    `*** Update File: ${name}`,
    `-${before}`,
    `+${after}`,
  ];
  const results = await Promise.all([
    apply([...update("a.txt", "one", "1"), ...update("b.txt", "one", "1")]),
    apply([...update("b.txt", "two", "2"), ...update("a.txt", "two", "2")]),
    workshop.run("edit", { filePath: "a.txt", oldString: "\n", newString: "!\n", replaceAll: true }),
  ]);
  expect(results.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined]);
  expect([workshop.text("a.txt"), workshop.text("b.txt")]).toEqual(["1!\n2!\n", "1\n2\n"]);
});

test("an aborted call writes nothing", async () => {
  const result = await apply(["*** Add File: a", "+x"], workshop.newContext(AbortSignal.abort()));
  expect(result).toEqual({ output: "Interrupted before anything was written.", isError: true, title: "a" });
  expect(existsSync(workshop.at("a"))).toBe(false);
});

test("every path that is touched is a need of its own, and malformed input is reported by the parser", () => {
  const need = (pattern: string, path: string) => ({
    permission: "edit",
    patterns: [pattern],
    always: [pattern],
    access: "write",
    paths: [path],
  });
  const patch = ["*** Update File: a", "*** Move to: b", "*** Add File: /etc/c", "+x", "*** Delete File: ../d"];
  expect(tool.needs(parsed(patch), "/place/here")).toEqual([
    need("a", "/place/here/a"),
    need("b", "/place/here/b"),
    need("/etc/c", "/etc/c"),
    need("/place/d", "/place/d"),
  ]);
  expect(tool.parse({ patch: `*** Update File: a\n${end}` })).toEqual({
    ok: false,
    report: "a is to be updated, but no hunk follows; write @@ and lines that begin with a space, - or +.",
  });
  expect(tool.parse({})).toEqual({ ok: false, report: "patch: expected string (required), received nothing" });
  expect([tool.editModes, tool.readOnly(parsed(patch)), tool.concurrencySafe(parsed(patch))]).toEqual([
    ["patch"],
    false,
    false,
  ]);
  expect(tool.description.length).toBeLessThan(500);
});
