import { editModes, type Tool } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "./workshop.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const descriptionCharactersMax = 1_100;

/** What a model is told from the start in each way of editing, with the bytes that it may cost. */
const carried = {
  replace: {
    names: ["bash", "edit", "glob", "grep", "multi_edit", "question", "read", "todo_write", "write"],
    bytesMax: 5_900,
  },
  patch: { names: ["apply_patch", "bash", "glob", "grep", "question", "read", "todo_write"], bytesMax: 5_400 },
  hashline: {
    names: ["bash", "edit_lines", "glob", "grep", "question", "read", "todo_write", "write"],
    bytesMax: 5_600,
  },
} as const;

test.each(editModes)("all that a model is told at first stays small: %s", (mode) => {
  const told = workshop.tools
    .filter(({ searchHint, editModes: modes }) => searchHint === undefined && (modes?.includes(mode) ?? true))
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(told.map(({ name }) => name).sort()).toEqual(carried[mode].names);
  expect(Buffer.byteLength(told.map((tool) => JSON.stringify(tool)).join(""))).toBeLessThan(carried[mode].bytesMax);
});

test("every tool is described briefly, and its schema changes only on purpose", () => {
  const told = workshop.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(told.filter(({ description }) => description.length > descriptionCharactersMax)).toEqual([]);
  expect(told).toMatchSnapshot();
});

test("input is repaired where nothing is lost, unknown names are dropped, the rest is reported per field", () => {
  const { parse } = workshop.tool("read");
  expect(parse({ filePath: "a", offset: "12", limit: null, colour: "red" })).toEqual({
    ok: true,
    input: { filePath: "a", offset: 12 },
  });
  expect(parse({ offset: "twelve" })).toEqual({
    ok: false,
    report:
      'filePath: expected string (required), received nothing\noffset: expected integer, received string "twelve"',
  });
  expect(parse("a")).toEqual({ ok: false, report: 'input: expected object, received string "a"' });
  expect(workshop.tool("edit").parse({ filePath: "a", oldString: "1", newString: "2", replaceAll: "true" })).toEqual({
    ok: true,
    input: { filePath: "a", oldString: "1", newString: "2", replaceAll: true },
  });
  expect(workshop.tool("list").parse({ ignore: '["*.md"]' })).toEqual({ ok: true, input: { ignore: ["*.md"] } });
});

test("every tool states what it needs", () => {
  const needs = (name: string, input: unknown) => workshop.tool(name).needs(input, "/place/here");
  const path = (permission: string, pattern: string, absolute: string, access = "read") => [
    { permission, patterns: [pattern], always: [pattern], access, paths: [absolute] },
  ];
  expect(needs("read", { filePath: "src/a.ts" })).toEqual(path("read", "src/a.ts", "/place/here/src/a.ts"));
  expect(needs("read", { filePath: "../a.ts" })).toEqual(path("read", "/place/a.ts", "/place/a.ts"));
  expect(needs("list", {})).toEqual(path("list", ".", "/place/here"));
  expect(needs("glob", { pattern: "**/*.ts" })).toEqual(path("glob", ".", "/place/here"));
  expect(needs("glob", { pattern: "../x/*.ts" })).toEqual(path("glob", "/place/x", "/place/x"));
  expect(needs("glob", { pattern: "/etc/*" })).toEqual(path("glob", "/etc", "/etc"));
  expect(needs("grep", { pattern: "x", path: "/place/hereabouts" })).toEqual(
    path("grep", "/place/hereabouts", "/place/hereabouts"),
  );
  expect(needs("write", { filePath: "a" })).toEqual(path("edit", "a", "/place/here/a", "write"));
  expect(needs("edit", { filePath: "a" })).toEqual(path("edit", "a", "/place/here/a", "write"));
  expect(needs("bash", { command: "ls -l", workdir: "sub" })).toEqual([
    { permission: "bash", patterns: ["ls -l"], always: ["ls -l"], access: "execute", paths: ["/place/here/sub"] },
  ]);
});

test("only tools that change nothing are read-only and may run beside others", () => {
  const names = (wanted: (tool: Tool) => boolean) =>
    workshop.tools.flatMap((tool) => (wanted(tool) ? [tool.name] : [])).sort();
  expect(names((tool) => !tool.readOnly({}))).toEqual([
    "apply_patch",
    "bash",
    "bash_kill",
    "batch",
    "edit",
    "edit_lines",
    "multi_edit",
    "notebook_edit",
    "resolve",
    "write",
  ]);
  expect(names((tool) => tool.concurrencySafe({}))).toEqual([
    "ast_grep",
    "codesearch",
    "glob",
    "grep",
    "list",
    "memory_search",
    "read",
    "task_get",
    "task_list",
    "todo_read",
    "webfetch",
  ]);
});
