// Covers writes to `conflict://`: one region, all of them, and what is refused.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent, loadText } from "../../file-content.ts";
import { createWriteTool } from "../write.ts";
import { type Conflicts, createConflicts } from "./conflicts.ts";

let workshop: Workshop;
let conflicts: Conflicts;
beforeEach(() => {
  workshop = openWorkshop();
  conflicts = createConflicts();
});
afterEach(() => workshop.close());

const tool = () => createWriteTool({ conflicts });
const write = (filePath: string, content: string) => tool().run({ filePath, content }, workshop.newContext());
const validate = (filePath: string, content: string) => tool().validate?.({ filePath, content }, workshop.newContext());
const conflict = (ours: string, theirs: string) => `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> branch\n`;

/** As a read of the conflicts leaves it. */
function putRead(name: string, text: string): void {
  const path = workshop.put(name, text);
  const loaded = loadText(path);
  if (loaded.kind !== "text") throw new Error("no text");
  conflicts.record(path, loaded.text);
  workshop.files.remember(path, hashContent(text));
}

test("one region is replaced, the others stay and are named", async () => {
  putRead("a.ts", `top\n${conflict("a\n", "b\n")}middle\n${conflict("c\n", "d\n")}end\n`);
  const result = await write("conflict://1", "new 1\nnew 2");
  expect(workshop.text("a.ts")).toBe(`top\nnew 1\nnew 2\nmiddle\n${conflict("c\n", "d\n")}end\n`);
  expect(result).toEqual({
    output: "Changed a.ts (+2 -5 lines).\nLeft there: conflict://2 (line 5).",
    title: "a.ts",
    metadata: expect.objectContaining({ additions: 2, deletions: 5, op: "update", firstChangedLine: 2 }),
  });
  expect(result.metadata?.["diff"]).toContain("--- a/a.ts\n+++ b/a.ts\n@@ -1,9 +1,6 @@\n top\n-<<<<<<< HEAD\n");
  // Its own writes count as known, so no new read is needed.
  expect((await write("conflict://2", "")).output).toBe("Changed a.ts (+0 -5 lines).\nNo conflicts left there.");
  expect(workshop.text("a.ts")).toBe("top\nnew 1\nnew 2\nmiddle\nend\n");
  expect(await write("conflict://2", "x")).toEqual({
    output: "No conflict://2. Read a file with :conflicts behind its path to get the numbers.",
    isError: true,
    title: "conflict://2",
  });
});

test.each([
  ["@ours", "ours\n"],
  ["@theirs", "theirs\n"],
  ["@both\n", "ours\ntheirs\n"],
  ["@base", "base\n"],
  ["@ours and more", "@ours and more\n"],
])("%j becomes %j", async (content, expected) => {
  putRead("a.ts", "<<<<<<< HEAD\nours\n||||||| 123\nbase\n=======\ntheirs\n>>>>>>> branch\nend\n");
  await write("conflict://1", content);
  expect(workshop.text("a.ts")).toBe(`${expected}end\n`);
});

test("a base that is not shown cannot be taken", async () => {
  putRead("a.ts", conflict("a\n", "b\n"));
  expect(await validate("conflict://1", "@base")).toBe(
    "conflict://1 does not show its base; write @ours, @theirs, @both or the text.\nNothing was written.",
  );
});

test("line endings, byte order mark and a missing final line break are kept", async () => {
  putRead("crlf.txt", `\uFEFFtop\r\n${conflict("a\n", "b\n").replaceAll("\n", "\r\n")}`);
  await write("conflict://1", "x\ny");
  expect(workshop.text("crlf.txt")).toBe("\uFEFFtop\r\nx\r\ny\r\n");
  putRead("end.txt", conflict("a\n", "b\n").trimEnd());
  await write("conflict://2", "last");
  expect(workshop.text("end.txt")).toBe("last");
});

test("a file that was not read, or changed since, is not touched", async () => {
  const text = conflict("a\n", "b\n");
  const path = workshop.put("a.ts", text);
  conflicts.record(path, text);
  expect((await write("conflict://1", "x")).output).toBe(
    "a.ts exists but has not been read in this session; read it first.\nNothing was written.",
  );
  workshop.files.remember(path, hashContent(text));
  workshop.put("a.ts", `line\n${text}`);
  expect(await validate("conflict://1", "x")).toBe(
    "a.ts has changed since it was last read; read it again first.\nNothing was written.",
  );
  // Read again by lines: the region is found where it is now.
  workshop.files.remember(path, hashContent(`line\n${text}`));
  expect((await write("conflict://1", "x")).isError).toBeUndefined();
  expect(workshop.text("a.ts")).toBe("line\nx\n");
});

test("a region that has gone is told, not guessed", async () => {
  putRead("a.ts", conflict("a\n", "b\n"));
  const changed = conflict("a\n", "c\n");
  workshop.files.remember(workshop.put("a.ts", changed), hashContent(changed));
  expect((await write("conflict://1", "x")).output).toBe(
    "a.ts no longer has this conflict; read a.ts:conflicts for what is left.\nNothing was written.",
  );
  expect(workshop.text("a.ts")).toBe(changed);
});

test("all recorded regions of all files are replaced together, and a person is told first", async () => {
  putRead("a.ts", `${conflict("a\n", "b\n")}-\n${conflict("c\n", "d\n")}`);
  putRead("b.ts", conflict("e\n", "f\n"));
  putRead("done.ts", conflict("g\n", "h\n"));
  workshop.files.remember(workshop.put("done.ts", "g\n"), hashContent("g\n"));
  const input = { filePath: "conflict://*", content: "@theirs" };
  const write = tool();
  expect(write.needs(input, workshop.directory)).toEqual([
    {
      permission: "edit",
      patterns: ["a.ts", "b.ts", "done.ts"],
      always: [],
      access: "write",
      paths: ["a.ts", "b.ts", "done.ts"].map(workshop.at),
    },
  ]);
  expect(await write.caution?.(input, workshop.newContext())).toBe("It replaces all recorded conflicts at once.");
  const preview = await write.preview?.(input, workshop.newContext());
  expect(preview).toContain("Replaces all 3 conflict regions in 2 files at once.\n--- a/a.ts\n");
  const result = await write.run(input, workshop.newContext());
  expect(result.output).toBe("Changed a.ts (+0 -8 lines).\nChanged b.ts (+0 -4 lines).\nNo conflicts left there.");
  expect(result.metadata?.["destructive"]).toBe(true);
  expect(["a.ts", "b.ts", "done.ts"].map(workshop.text)).toEqual(["b\n-\nd\n", "f\n", "g\n"]);
  expect((await write.run(input, workshop.newContext())).output).toBe(
    "No conflict is recorded. Read a file with :conflicts behind its path to get the numbers.",
  );
});

test("of two equal regions the one that is named is replaced, and the other keeps its number", async () => {
  const equal = conflict("a\n", "b\n");
  putRead("a.ts", `${equal}-\n${equal}`);
  expect((await write("conflict://1", "x")).output).toContain("Left there: conflict://2 (line 3).");
  expect((await write("conflict://2", "y")).isError).toBeUndefined();
  expect(workshop.text("a.ts")).toBe("x\n-\ny\n");
});

test("one stale file keeps all others as they are", async () => {
  putRead("a.ts", conflict("a\n", "b\n"));
  putRead("b.ts", conflict("e\n", "f\n"));
  workshop.put("b.ts", `new\n${conflict("e\n", "f\n")}`);
  expect((await write("conflict://*", "@ours")).output).toBe(
    "b.ts has changed since it was last read; read it again first.\nNothing was written.",
  );
  expect(workshop.text("a.ts")).toBe(conflict("a\n", "b\n"));
});

test("a generated file is left to its generator, and one region is permitted as an edit of its file", async () => {
  putRead("db.go", `// Code generated by sqlc. DO NOT EDIT.\n${conflict("a\n", "b\n")}`);
  expect(await validate("conflict://1", "@ours")).toContain("db.go is a generated file");
  const input = { filePath: "conflict://1", content: "@ours" };
  expect(tool().needs(input, workshop.directory)).toEqual([
    { permission: "edit", patterns: ["db.go"], always: ["db.go"], access: "write", paths: [workshop.at("db.go")] },
  ]);
  expect(await tool().caution?.(input, workshop.newContext())).toBeUndefined();
});

test.each([
  ["conflict://1/ours", "One side cannot be written; write @ours to conflict://1 to keep that side."],
  ["conflict://0", "conflict://0 is not a conflict: write to conflict://NUMBER, or conflict://* for all."],
  ["artifact://3", "artifact:// cannot be written; write to a path, or to local://NAME for a scratch file."],
])("%s is refused", async (filePath, problem) => {
  expect(await validate(filePath, "x")).toBe(problem);
  expect(await write(filePath, "x")).toEqual({ output: problem, isError: true, title: filePath });
});
