import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { createBlockResolver } from "../../syntax/resolve-block.ts";
import { createEditLinesTool, type EditLinesInput } from "./edit-lines.ts";
import { hashText } from "./tag.ts";
import { createVersionStore, type VersionStore, wholeFile } from "./versions.ts";

const six = "1\n2\n3\n4\n5\n6\n";

let workshop: Workshop;
let versions: VersionStore;
let tool: ReturnType<typeof createEditLinesTool>;

beforeEach(() => {
  workshop = openWorkshop();
  versions = createVersionStore();
  tool = createEditLinesTool({ versions, resolveBlock: createBlockResolver() });
});
afterEach(() => workshop.close());

/** Puts a file there that the model has read; gives back its header. */
function show(name: string, content: string, shown = wholeFile): string {
  return `[${name}#${versions.record(workshop.put(name, content), content, shown)?.tag}]`;
}

const run = (input: string, context = workshop.newContext()) => tool.run({ input }, context);

const tagNow = (name: string) => hashText(workshop.text(name).replaceAll("\r\n", "\n")).slice(0, 4);

test("an edit writes the file and answers with the fresh header, a short diff and all that clients need", async () => {
  const header = show("a.ts", six);
  const result = await run(`${header}\nSWAP 1.=1:\n+a\n+b`);
  expect(workshop.text("a.ts")).toBe("a\nb\n2\n3\n4\n5\n6\n");
  const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,5 @@\n-1\n+a\n+b\n 2\n 3\n 4";
  expect(result).toEqual({
    output: `[a.ts#${tagNow("a.ts")}]\n-1:1\n+1:a\n+2:b\n 3:2`,
    title: "a.ts",
    metadata: {
      path: "a.ts",
      diff,
      additions: 2,
      deletions: 1,
      firstChangedLine: 1,
      diagnostics: [],
      op: "update",
      meta: { tag: tagNow("a.ts") },
    },
  });
  expect(workshop.files.known(workshop.at("a.ts"))).toBe(hashContent(workshop.text("a.ts")));
  const again = await run(`[a.ts#${tagNow("a.ts")}]\nDEL 1.=2`);
  expect([again.isError, workshop.text("a.ts")]).toEqual([undefined, "2\n3\n4\n5\n6\n"]);
});

test("several files change together, also by absolute path, each with its own result", async () => {
  const first = show("a.ts", six);
  const second = show("b.ts", "x\n").replace("b.ts", workshop.at("b.ts"));
  const result = await run(`${first}\nDEL 4.=5\n${second}\nINS.TAIL:\n+y\n${first}\nDEL 1`);
  expect([workshop.text("a.ts"), workshop.text("b.ts")]).toEqual(["2\n3\n6\n", "x\ny\n"]);
  expect(result.output).toBe(
    `[a.ts#${tagNow("a.ts")}]\n-1:1\n 1:2\n 2:3\n-4:4\n-5:5\n 3:6\n[b.ts#${tagNow("b.ts")}]\n 1:x\n+2:y`,
  );
  expect(result.metadata?.["perFileResults"]).toMatchObject([{ path: "a.ts" }, { path: "b.ts" }]);
});

test("one section that cannot be applied keeps all others from being written", async () => {
  const first = show("a.ts", six);
  const second = show("b.ts", "x\n");
  const result = await run(`${first}\nDEL 1\n${second}\nDEL 2`);
  expect(result).toEqual({
    output: "Row 4: Line 2 does not exist: the tagged version has 1 line, counted from 1. To append use INS.TAIL:.",
    isError: true,
    title: "edit_lines",
  });
  expect([workshop.text("a.ts"), workshop.text("b.ts")]).toEqual([six, "x\n"]);
});

test("when the second write fails the first is undone", async () => {
  const first = show("a.ts", six);
  const second = show("other/b.ts", "x\n");
  const context = workshop.newContext();
  // Stands where the new content would be put before it takes the file's name.
  workshop.put(`other/.kedge-${process.pid}-${hashContent(context.callId).slice(0, 16)}.tmp`, "in the way");
  const result = await run(`${first}\nDEL 1\n${second}\nDEL 1`, context);
  expect([result.isError, workshop.text("a.ts"), workshop.text("other/b.ts")]).toEqual([true, six, "x\n"]);
  expect(result.output).toMatch(/Nothing was written\.$/);
  expect(versions.findContent(workshop.at("a.ts"), hashText("2\n3\n4\n5\n6\n"))).toBeUndefined();
});

test("byte order mark and line endings stay", async () => {
  const header = show("a.txt", "\uFEFFa\r\nb\r\nc\r\n");
  await run(`${header}\nSWAP 2:\n+x\n+y`);
  expect(workshop.text("a.txt")).toBe("\uFEFFa\r\nx\r\ny\r\nc\r\n");
});

test("blocks are found by syntax and echoed between header and diff", async () => {
  const header = show("a.ts", "const x = 1;\nfunction f() {\n  return x;\n}\nf();\n");
  const result = await run(`${header}\nSWAP.BLK 2:\n+const f = () => x;`);
  expect(result.output).toBe(
    `[a.ts#${tagNow("a.ts")}]\nSWAP.BLK 2: lines 2.=4 (3 lines)\n 1:const x = 1;\n-2:function f() {\n-3:  return x;\n-4:}\n+2:const f = () => x;\n 3:f();`,
  );
  expect(workshop.text("a.ts")).toBe("const x = 1;\nconst f = () => x;\nf();\n");
});

test("warnings name rows without plus signs and lines that were never shown", async () => {
  const header = show("a.ts", six, [{ first: 1, last: 3 }]);
  const result = await run(`${header}\nINS.POST 5:\nx`);
  expect(result.output).toBe(
    `[a.ts#${tagNow("a.ts")}]\n 5:5\n+6:x\n 7:6\nWarnings:\n- Row 3: body rows begin with +. Rows without it were taken as text; check the diff.\n- a.ts: line 5 of ${header.slice(5, -1)} had not been shown. Check the diff.`,
  );
});

test("two tags for one file are refused, under whatever names", async () => {
  const old = show("a.ts", six);
  symlinkSync(workshop.at("a.ts"), workshop.at("link.ts"));
  const other = show("a.ts", `${six}7\n`).replace("a.ts", "link.ts");
  expect(await tool.validate?.({ input: `${old}\nDEL 1\n${other}\nDEL 2` }, workshop.newContext())).toBe(
    `Row 3: link.ts has a section of tag ${old.slice(6, 10)} in row 1 and here one of tag ${other.slice(9, 13)}. Read it again and give all its operations under one tag.`,
  );
});

test("an older tag is carried over this session's own edits", async () => {
  const old = show("a.ts", six);
  await run(`${old}\nINS.HEAD:\n+new\n+newer`);
  const result = await run(`${old}\nSWAP 5:\n+five`);
  expect(workshop.text("a.ts")).toBe("new\nnewer\n1\n2\n3\n4\nfive\n6\n");
  const tag = tagNow("a.ts");
  expect(result.output).toBe(
    `[a.ts#${tag}]\n${old.slice(5, -1)} was an earlier version; its line numbers were carried over your own edits since. The current tag is #${tag}.\n 6:4\n-7:5\n+7:five\n 8:6`,
  );
  expect(result.metadata?.["meta"]).toEqual({ tag, recovery: "session-chain" });
});

test("an edit of the tagged version, or one carried over own edits, needs no second look", async () => {
  const old = show("a.ts", six);
  const input = { input: `${old}\nDEL 5` };
  expect(await tool.caution?.(input, workshop.newContext())).toBeUndefined();
  await run(`${old}\nDEL 1`);
  expect(await tool.caution?.(input, workshop.newContext())).toBeUndefined();
});

test("a generated file is refused unless it may be edited", async () => {
  const header = show("a.go", "// Code generated by sqlc. DO NOT EDIT.\npackage a\n");
  const input = { input: `${header}\nDEL 2` };
  expect(await tool.validate?.(input, workshop.newContext())).toBe(
    'a.go is a generated file (its header says "Code generated … DO NOT EDIT"); changes made here would be lost. Change what it is made from and run its generator again.',
  );
  expect((await tool.run(input, workshop.newContext())).isError).toBe(true);
  const unguarded = createEditLinesTool({ versions, blockGenerated: () => false });
  expect((await unguarded.run(input, workshop.newContext())).isError).toBeUndefined();
  expect(workshop.text("a.go")).toBe("// Code generated by sqlc. DO NOT EDIT.\n");
});

test("foreign changes are merged, which a person should look at first and which is said", async () => {
  const old = show("a.ts", six);
  workshop.put("a.ts", `foreign\n${six}`);
  const input: EditLinesInput = { input: `${old}\nDEL 5` };
  const context = workshop.newContext();
  expect(await tool.validate?.(input, context)).toBeUndefined();
  const path = workshop.at("a.ts");
  expect(tool.needs(input, workshop.directory)).toEqual([
    { permission: "edit", patterns: ["a.ts"], always: ["a.ts"], access: "write", paths: [path] },
  ]);
  const merged = `a.ts: others changed the file since ${old.slice(5, -1)}; the diff shows the edit merged with their changes.`;
  expect(await tool.caution?.(input, context)).toBe(merged);
  expect(await tool.caution?.({ ...input }, context)).toBe(merged);
  expect(await tool.preview?.(input, context)).toBe(
    `${merged}\n--- a/a.ts\n+++ b/a.ts\n@@ -3,5 +3,4 @@\n 2\n 3\n 4\n-5\n 6`,
  );
  const result = await tool.run(input, context);
  expect(workshop.text("a.ts")).toBe("foreign\n1\n2\n3\n4\n6\n");
  const tag = tagNow("a.ts");
  expect(result.output.split("\n")[1]).toBe(
    `Others changed the file since ${old.slice(5, -1)}; your edit was merged with their changes without conflict. The current tag is #${tag}: read the file again before you rely on other lines.`,
  );
});

test("lines that moved are edited where they stand now if they are there only once", async () => {
  const old = show("a.ts", six);
  workshop.put("a.ts", "5\n6\n1\n2\n3\n4\n");
  const result = await run(`${old}\nSWAP 2:\n+two`);
  expect(workshop.text("a.ts")).toBe("5\n6\n1\ntwo\n3\n4\n");
  expect(result.metadata?.["meta"]).toEqual({ tag: tagNow("a.ts"), recovery: "external" });
  const other = show("b.ts", "a\nb\nc\nd\ne\nf\ng\nh\n");
  workshop.put("b.ts", "e\nf\ng\nh\nb\nc\nd\n");
  const replayed = await run(`${other}\nSWAP 3:\n+see`);
  expect(workshop.text("b.ts")).toBe("e\nf\ng\nh\nb\nsee\nd\n");
  expect(replayed.output.split("\n")[1]).toBe(
    `The file changed since ${other.slice(5, -1)}; the lines you named were found unchanged in exactly one place and edited there. The current tag is #${tagNow("b.ts")}: read the file again before you rely on other lines.`,
  );
});

test("an edit that cannot be carried over shows what stands there now, and can then be repeated", async () => {
  const old = show("a.ts", six);
  workshop.put("a.ts", six.replace("3", "three"));
  const tag = tagNow("a.ts");
  const expected = `a.ts has changed since ${old.slice(5, -1)}, and the edit cannot be carried over safely. Nothing was written. The present version is #${tag}; the places you named now read:\n1:1\n2:2\n3:three\n4:4\n5:5\nRepeat the edit with this tag and these line numbers, or read more of the file first.`;
  expect(await tool.validate?.({ input: `${old}\nSWAP 3:\n+x` }, workshop.newContext())).toBe(expected);
  const result = await run(`[a.ts#${tag}]\nSWAP 3:\n+x`);
  expect(result.output).toBe(`[a.ts#${tagNow("a.ts")}]\n 2:2\n-3:three\n+3:x\n 4:4`);
});

test("recovery can be switched off", async () => {
  const strict = createEditLinesTool({ versions, allowRecovery: false });
  const old = show("a.ts", six);
  workshop.put("a.ts", `foreign\n${six}`);
  expect(await strict.validate?.({ input: `${old}\nDEL 5` }, workshop.newContext())).toMatch(
    /^a\.ts has changed since/,
  );
});

test("a tag nobody gave out is told from one that has become old", async () => {
  workshop.put("a.ts", six);
  const tag = tagNow("a.ts");
  const wrong = tag === "0000" ? "0001" : "0000";
  expect(await tool.validate?.({ input: `[a.ts#${wrong}]\nINS.HEAD:\n+x\nDEL 9` }, workshop.newContext())).toBe(
    `#${wrong} is no tag of a.ts that was given out in this session, or it is no longer kept. Nothing was written. The present version is #${tag}; the places you named now read:\n1:1\n2:2\n3:3\n4:4\n5:5\n6:6\nRepeat the edit with this tag if these are the right lines, else read the file.`,
  );
});

test("after a resumption a tag counts again if the file is still what was read", async () => {
  const path = workshop.put("a.ts", six);
  workshop.files.remember(path, hashContent(six));
  const result = await run(`[a.ts#${tagNow("a.ts")}]\nDEL 1`);
  expect([result.isError, workshop.text("a.ts")]).toEqual([undefined, "2\n3\n4\n5\n6\n"]);
});

test("missing files, directories and files too large for tags are refused with what to do", async () => {
  mkdirSync(workshop.at("folder"));
  const problem = (input: string, by = tool) => by.validate?.({ input }, workshop.newContext());
  expect(await problem("[none.ts#0A3B]\nDEL 1")).toBe("none.ts does not exist. New files are made with write.");
  expect(await problem("[folder#0A3B]\nDEL 1")).toBe(`${workshop.at("folder")} is a directory.`);
  writeFileSync(workshop.at("large.ts"), "x".repeat(5_000_000));
  expect(await problem("[large.ts#0A3B]\nDEL 1")).toBe(
    "large.ts is too large for tags. Change it with edit, by the text to replace.",
  );
});

test("an edit without effect says so, and the third time running it is an error", async () => {
  const header = show("a.ts", six);
  const noop = `${header}\nSWAP 2:\n+2`;
  const first = await run(noop);
  expect(first).toEqual({
    output:
      "Nothing changed: the body equals what a.ts already says there. If something still fails the cause lies elsewhere; read the file again rather than enlarging the edit.",
    title: "a.ts",
  });
  expect((await run(noop)).isError).toBeUndefined();
  expect(await run(noop)).toEqual({
    output:
      "Stop: this same edit of a.ts has had no effect 3 times in a row. The file already says this. Read it again, and look for the cause elsewhere.",
    title: "a.ts",
    isError: true,
  });
  await run(`${header}\nDEL 6`);
  expect((await run(`[a.ts#${tagNow("a.ts")}]\nSWAP 2:\n+2`)).isError).toBeUndefined();
});

test("a file that changes nothing beside one that does is named", async () => {
  const first = show("a.ts", six);
  const second = show("b.ts", "x\n");
  const result = await run(`${first}\nDEL 1\n${second}\nSWAP 1:\n+x`);
  expect(result.output).toBe(
    `[a.ts#${tagNow("a.ts")}]\n-1:1\n 1:2\nWarnings:\n- b.ts: the operations change nothing there; the file already has this text.`,
  );
});

test("a file that changes between the permission and the write is left alone", async () => {
  const old = show("a.ts", six);
  const input: EditLinesInput = { input: `${old}\nDEL 5` };
  await tool.validate?.(input, workshop.newContext());
  workshop.put("a.ts", `foreign\n${six}`);
  expect(await tool.run(input, workshop.newContext())).toEqual({
    output: "a.ts changed while the call waited for its permission. Nothing was written. Make the call again.",
    isError: true,
    title: "a.ts",
  });
  expect(workshop.text("a.ts")).toBe(`foreign\n${six}`);
});

test("calls on the same files wait for each other and both arrive", async () => {
  const [a, b] = [show("a.ts", six), show("b.ts", six)];
  const results = await Promise.all([run(`${a}\nDEL 1\n${b}\nDEL 1`), run(`${b}\nSWAP 4:\n+x\n${a}\nSWAP 4:\n+x`)]);
  expect(results.map((result) => result.isError)).toEqual([undefined, undefined]);
  expect([workshop.text("a.ts"), workshop.text("b.ts")]).toEqual(["2\n3\nx\n5\n6\n", "2\n3\nx\n5\n6\n"]);
});

test("an interrupted call writes nothing", async () => {
  const header = show("a.ts", six);
  expect(await run(`${header}\nDEL 1`, workshop.newContext(AbortSignal.abort()))).toEqual({
    output: "Interrupted before anything was written.",
    isError: true,
    title: "a.ts",
  });
  expect(workshop.text("a.ts")).toBe(six);
});

test("an input that does not parse needs nothing, is refused before anybody is asked and again when run", async () => {
  const input = { input: "DEL 1" };
  expect(tool.needs(input, workshop.directory)).toEqual([]);
  const expected =
    'Row 1: Start with a header row [path#TAG], copied from the last read of the file. Found "DEL 1" instead.';
  expect(await tool.validate?.(input, workshop.newContext())).toBe(expected);
  expect(await tool.run(input, workshop.newContext())).toMatchObject({ output: expected, isError: true });
});

test("the tool is offered for line-addressed editing only, and what a model reads of it is short", () => {
  const { name, editModes, inputSchema, description } = tool;
  expect({ name, editModes, inputSchema }).toEqual({
    name: "edit_lines",
    editModes: ["hashline"],
    inputSchema: {
      type: "object",
      properties: { input: { type: "string", minLength: 1 } },
      required: ["input"],
    },
  });
  expect(description.length).toBeLessThan(550);
});
