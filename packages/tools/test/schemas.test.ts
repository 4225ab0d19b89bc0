import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "./workshop.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const totalBytesMax = 3_600;
const descriptionCharactersMax = 350;

test("all that a model is told about the tools stays small", () => {
  const told = workshop.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(told.map(({ name }) => name)).toEqual(["read", "list", "glob", "grep", "write", "edit", "bash"]);
  expect(told.filter(({ description }) => description.length > descriptionCharactersMax)).toEqual([]);
  expect(Buffer.byteLength(told.map((tool) => JSON.stringify(tool)).join(""))).toBeLessThan(totalBytesMax);
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
  const traits = workshop.tools.map((tool) => [tool.name, tool.readOnly({}), tool.concurrencySafe({})]);
  expect(traits).toEqual([
    ["read", true, true],
    ["list", true, true],
    ["glob", true, true],
    ["grep", true, true],
    ["write", false, false],
    ["edit", false, false],
    ["bash", false, false],
  ]);
});
