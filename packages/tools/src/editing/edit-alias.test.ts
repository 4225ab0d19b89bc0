/** Proves that a call in the form of another way of editing still runs, and says which one is in use. */
import type { EditMode } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { createApplyPatchTool } from "./apply-patch/apply-patch.ts";
import { createEditTool } from "./edit.ts";
import { joinEditTools } from "./edit-alias.ts";
import { createEditLinesTool } from "./hashline/edit-lines.ts";
import { createVersionStore, wholeFile } from "./hashline/versions.ts";

const versions = createVersionStore();
const tools = joinEditTools({
  edit: createEditTool(),
  editLines: createEditLinesTool({ versions }),
  others: [createApplyPatchTool()],
});

let workshop: Workshop;
let header: string;
beforeEach(async () => {
  workshop = openWorkshop();
  const path = workshop.put("a.txt", "one\ntwo\n");
  header = `[a.txt#${versions.record(path, "one\ntwo\n", wholeFile)?.tag}]`;
  await workshop.run("read", { filePath: "a.txt" });
});
afterEach(() => workshop.close());

async function call(name: string, input: unknown, editMode: EditMode) {
  const tool = tools.find((candidate) => candidate.name === name);
  const parsed = tool?.parse(input);
  if (tool === undefined || parsed?.ok !== true) throw new Error("no such tool, or no such input");
  const context = { ...workshop.newContext(), editMode };
  expect(await tool.validate?.(parsed.input, context)).toBeUndefined();
  const needs = tool.needs(parsed.input, workshop.directory).map(({ permission, patterns }) => [permission, patterns]);
  expect(needs).toEqual([["edit", ["a.txt"]]]);
  expect(await tool.caution?.(parsed.input, context)).toBeUndefined();
  expect(await tool.preview?.(parsed.input, context)).toMatch(/^--- a\/a\.txt/);
  return tool.run(parsed.input, context);
}

const noteOf = (name: string) => `(Here files are changed with ${name}; use it for the next change.)`;
const byText = { filePath: "a.txt", oldString: "one", newString: "1" };
const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch";

test("edit with line operations runs as edit_lines", async () => {
  const { output } = await call("edit", { input: `${header}\nSWAP 1:\n+1` }, "hashline");
  expect(workshop.text("a.txt")).toBe("1\ntwo\n");
  expect(output).toMatch(/^\[a\.txt#[0-9A-F]{4}\]\n-1:one\n\+1:1\n 2:two$/);
});

test("edit with text runs as ever", async () => {
  expect((await call("edit", byText, "replace")).output).toBe("Changed a.txt (+1 -1 lines).");
  expect(workshop.text("a.txt")).toBe("1\ntwo\n");
});

test.each<[string, (header: string) => unknown, EditMode, string]>([
  ["edit", () => byText, "hashline", "edit_lines"],
  ["edit", () => byText, "patch", "apply_patch"],
  ["edit", (tagged) => ({ input: `${tagged}\nSWAP 1:\n+1` }), "patch", "apply_patch"],
  ["edit_lines", (tagged) => ({ input: `${tagged}\nSWAP 1:\n+1` }), "replace", "edit"],
  ["apply_patch", () => ({ patch }), "replace", "edit"],
])("%s runs where it is not offered and names the tool that is (%#)", async (name, input, mode, active) => {
  const { output } = await call(name, input(header), mode);
  expect(workshop.text("a.txt")).toBe("1\ntwo\n");
  expect(output.split("\n").filter((line) => line.startsWith("(Here"))).toEqual([noteOf(active)]);
});

test.each<[string, unknown, EditMode]>([
  ["edit", byText, "replace"],
  ["apply_patch", { patch }, "patch"],
])("%s has nothing to add where it is offered", async (name, input, mode) => {
  expect((await call(name, input, mode)).output).not.toContain("(Here");
});
