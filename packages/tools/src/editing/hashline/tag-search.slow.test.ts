/** Proves that what a search shows can be edited by its line numbers at once, and that nothing else gets a tag. */
import { symlinkSync } from "node:fs";
import type { ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { findRipgrep } from "../../searching/find-ripgrep.ts";
import { createGrepTool } from "../../searching/grep.ts";
import { createAstGrepTool } from "../../syntax/ast-grep.ts";
import { createGrammars } from "../../syntax/grammars.ts";
import { createEditLinesTool } from "./edit-lines.ts";
import { hashText } from "./tag.ts";
import { tagSearchedFile } from "./tag-search.ts";
import { createVersionStore, type VersionStore } from "./versions.ts";

const grammars = createGrammars();

let workshop: Workshop;
let versions: VersionStore;
beforeEach(() => {
  workshop = openWorkshop();
  versions = createVersionStore();
});
afterEach(() => workshop.close());

const inHashline = (): ToolContext => ({ ...workshop.newContext(), editMode: "hashline" });
const tagOf = (name: string) => hashText(workshop.text(name).replaceAll("\r\n", "\n")).slice(0, 4);

const newParts = () => ({
  ripgrepPath: findRipgrep,
  childEnvironment: () => ({}),
  grammars,
  tags: { versions, isEditable: (path: string) => !path.includes("/vendor/") },
});
const grep = async (pattern: string, context = inHashline()) =>
  (await createGrepTool(newParts()).run({ pattern }, context)).output;
const astGrep = async (pat: string, context = inHashline()) =>
  (await createAstGrepTool(newParts()).run({ pat, paths: ["."] }, context)).output;
const editLines = (input: string) => createEditLinesTool({ versions }).run({ input }, inHashline());

test("grep shows matches and their surroundings below the tag, and both can be edited", async () => {
  workshop.put("a.ts", "zero\r\none\r\nneedle\r\ntwo\r\n3\r\n4\r\n5\r\n");
  const tag = tagOf("a.ts");
  expect(await grep("needle")).toBe(`[a.ts#${tag}]\n 2:one\n*3:needle\n 4:two\n 5:3\n 6:4`);
  expect((await editLines(`[a.ts#${tag}]\nSWAP 3:\n+found\nDEL 4`)).output).not.toContain("Warnings");
  expect(workshop.text("a.ts")).toBe("zero\r\none\r\nfound\r\n3\r\n4\r\n5\r\n");
});

test("lines that a search did not show are warned of", async () => {
  workshop.put("a.ts", "needle\n1\n2\n3\n4\n5\n");
  await grep("needle");
  const { output } = await editLines(`[a.ts#${tagOf("a.ts")}]\nDEL 6`);
  expect(output).toContain("a.ts: line 6 of #");
});

test("a line that was cut does not count as shown", async () => {
  workshop.put("a.ts", `needle ${"x".repeat(600)}\nend\n`);
  const tag = tagOf("a.ts");
  expect(await grep("needle")).toMatch(/^\[a\.ts#[0-9A-F]{4}\]\n\*1:needle x+…\n 2:end$/);
  expect((await editLines(`[a.ts#${tag}]\nSWAP 1:\n+short`)).output).toContain("a.ts: line 1 of #");
});

test("ast_grep shows its matches below the tag", async () => {
  workshop.put("a.ts", "log(1);\nother();\nlog(\n  2,\n);\n");
  const tag = tagOf("a.ts");
  expect(await astGrep("log($A)")).toBe(
    `[a.ts#${tag}]\n*1:log(1);\n    meta: A=1\n*3:log(\n*4:  2,\n*5:);\n    meta: A=2`,
  );
  expect((await editLines(`[a.ts#${tag}]\nDEL 3.=5`)).output).not.toContain("Warnings");
  expect(workshop.text("a.ts")).toBe("log(1);\nother();\n");
});

test("more files than the versions have room for are named without a tag", async () => {
  for (let index = 10; index < 35; index += 1) workshop.put(`${index}.js`, "f();\n");
  const headings = (await astGrep("f()")).split("\n").filter((row) => !row.startsWith("*") && !row.startsWith(" "));
  expect(headings.map((row) => row.startsWith("["))).toEqual(Array.from({ length: 25 }, (_, index) => index < 20));
});

test("in other ways of editing nothing changes", async () => {
  workshop.put("a.ts", "needle();\n");
  const context = workshop.newContext();
  expect(await grep("needle", context)).toBe("a.ts\n  1:needle();");
  expect(await astGrep("needle()", context)).toBe("a.ts\n  1:needle();");
  expect(versions.find(workshop.at("a.ts"), tagOf("a.ts"))).toBeUndefined();
});

test("what cannot be edited by line keeps plain rows", async () => {
  workshop.put("vendor/a.ts", "needle\n");
  workshop.put("latin.txt", Buffer.from("needle caf\xe9\n", "latin1"));
  workshop.put("returns.txt", "one\rneedle\n");
  const outside = workshop.put("outside/b.txt", "x\n");
  const inside = workshop.at("inside");
  workshop.put("inside/c.txt", "needle\n");
  symlinkSync(outside, `${inside}/link.txt`);
  const output = await createGrepTool(newParts()).run({ pattern: "needle", context: 0 }, inHashline());
  expect(output.output.split("\n").filter((row) => !/^[ *]/.test(row))).toEqual([
    `[inside/c.txt#${tagOf("inside/c.txt")}]`,
    "latin.txt",
    "returns.txt",
    "vendor/a.ts",
  ]);
});

test("a file that changed since it was searched, leads out by a link, or is too large gets no tag", () => {
  const row = { line: 1, text: "needle", isMatch: true };
  const tags = { versions };
  const path = workshop.put("a.txt", "nothing\n");
  expect(tagSearchedFile(path, [row], inHashline(), tags)).toBeUndefined();
  expect(tagSearchedFile(path, [{ ...row, line: 2 }], inHashline(), tags)).toBeUndefined();
  workshop.put("elsewhere/b.txt", "needle\n");
  const below = { ...inHashline(), cwd: workshop.at("work") };
  workshop.put("work/c.txt", "needle\n");
  symlinkSync(workshop.at("elsewhere/b.txt"), workshop.at("work/link.txt"));
  expect(tagSearchedFile(workshop.at("work/link.txt"), [row], below, tags)).toBeUndefined();
  expect(tagSearchedFile(workshop.at("work/c.txt"), [row], below, tags)?.rows).toEqual(["*1:needle"]);
  const large = workshop.put("large.txt", `needle\n${"x".repeat(4 * 1_024 * 1_024)}\n`);
  expect(tagSearchedFile(large, [row], inHashline(), tags)).toBeUndefined();
});
