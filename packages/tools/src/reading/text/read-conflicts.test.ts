// Proves that the conflicts of a merge are listed by number, and that each side of one can be read.
import { mkdirSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { type Conflicts, createConflicts } from "../../editing/conflicts/conflicts.ts";
import { hashContent } from "../../file-content.ts";
import { findRipgrep } from "../../searching/find-ripgrep.ts";
import { createReadTool } from "../read.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const merged = `first
<<<<<<< HEAD
mine
and mine
||||||| 1a2b3c
before
=======
theirs
>>>>>>> feature/x
between
<<<<<<<
=======
added
>>>>>>> feature/x
`;

function newTool(conflicts: Conflicts | undefined = createConflicts()) {
  const tool = createReadTool({
    ripgrepPath: findRipgrep,
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
    wallClockMs: () => 0,
    conflicts,
  });
  return { ...tool, read: (filePath: string) => tool.run({ filePath }, workshop.newContext()) };
}

test("a file's conflicts are listed with their lines, sides and addresses", async () => {
  const path = workshop.put("src/a.ts", merged);
  const conflicts = createConflicts();
  const tool = newTool(conflicts);
  expect(await tool.read("src/a.ts:conflicts")).toEqual({
    output: [
      "conflict://1  lines 2-9  HEAD against feature/x, with base",
      "conflict://2  lines 11-14  ours against feature/x",
      "(2 unresolved; read one with conflict://1, a side of it with conflict://1/ours, /theirs or /base; resolve it by writing the text, @ours, @theirs or @both to conflict://1)",
    ].join("\n"),
    title: "src/a.ts",
    metadata: { conflicts: 2 },
  });
  expect(conflicts.list().map((region) => [region.id, region.path])).toEqual([
    [1, path],
    [2, path],
  ]);
  expect(workshop.files.known(path)).toBe(hashContent(merged));
  symlinkSync(path, workshop.at("link.ts"));
  await tool.read("link.ts:conflicts");
  expect(conflicts.list()).toHaveLength(2);
  workshop.put("b.ts", "resolved\n");
  expect(await tool.read("b.ts:conflicts")).toEqual({
    output: "(no unresolved conflicts)",
    title: "b.ts",
    metadata: { conflicts: 0 },
  });
});

test("a conflict is read as it stands in the file, or one side of it alone", async () => {
  workshop.put("src/a.ts", merged);
  const tool = newTool();
  await tool.read("src/a.ts:conflicts");
  const outputs: Record<string, string> = {};
  for (const part of ["1", "1/ours", "1/theirs", "1/base", "2", "2/ours", "2/theirs", "1/ours:2-2"])
    outputs[part] = (await tool.read(`conflict://${part}`)).output;
  expect(outputs).toEqual({
    "1": "(src/a.ts:2-9)\n<<<<<<< HEAD\nmine\nand mine\n|||||||\nbefore\n=======\ntheirs\n>>>>>>> feature/x\n",
    "1/ours": "mine\nand mine\n",
    "1/theirs": "theirs\n",
    "1/base": "before\n",
    "2": "(src/a.ts:11-14)\n<<<<<<<\n=======\nadded\n>>>>>>> feature/x\n",
    "2/ours": "(this side has no lines)",
    "2/theirs": "added\n",
    "1/ours:2-2": "mine\nand mine\n",
  });
});

test("what is not recorded, and what has no lines, is refused in words", async () => {
  mkdirSync(workshop.at("dir"));
  workshop.put("zero.bin", Buffer.from([65, 0, 66]));
  workshop.put("a.ts", merged);
  const tool = newTool();
  await tool.read("a.ts:conflicts");
  const refusals = {
    "conflict://2/base": "conflict://2/base is not recorded: this merge kept only ours and theirs.",
    "conflict://3":
      "conflict://3 is not known. Read FILE:conflicts first; it gives addresses such as conflict://1/ours.",
    "conflict://1/mine":
      "conflict://1/mine is not known. Read FILE:conflicts first; it gives addresses such as conflict://1/ours.",
    "dir:conflicts": `${workshop.at("dir")} has no conflicts that could be listed: ${workshop.at("dir")} is a directory.`,
    "zero.bin:conflicts": `${workshop.at("zero.bin")} has no conflicts that could be listed: ${workshop.at("zero.bin")} is not UTF-8 text; change it with bash.`,
  };
  for (const [target, problem] of Object.entries(refusals))
    expect(await tool.read(target)).toMatchObject({ output: problem, isError: true });
  expect(await createReadTool().run({ filePath: "a.ts:conflicts" }, workshop.newContext())).toMatchObject({
    output: `Conflicts are not known here; find them in ${workshop.at("a.ts")} with grep.`,
    isError: true,
  });
});

test("a conflict needs the permission of its file", () => {
  const conflicts = createConflicts();
  conflicts.record("/w/.env", merged);
  const tool = newTool(conflicts);
  expect(tool.needs({ filePath: "conflict://1/ours:1-2" }, "/w")).toEqual([
    { permission: "read", patterns: [".env"], always: [".env"], access: "read", paths: ["/w/.env"] },
  ]);
  expect(tool.needs({ filePath: ".env:conflicts" }, "/w")).toMatchObject([{ patterns: [".env:conflicts", ".env"] }]);
});
