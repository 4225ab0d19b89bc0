// Proves that a long source file comes as an outline whose gaps can be read by the lines it names.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { findRipgrep } from "../../searching/find-ripgrep.ts";
import { createGrammars } from "../../syntax/grammars.ts";
import { createReadTool } from "../read.ts";
import type { ReadSettings } from "../read-parts.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const grammars = createGrammars();
const newTool = (settings?: ReadSettings) =>
  createReadTool({
    ripgrepPath: findRipgrep,
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
    wallClockMs: () => 0,
    grammars,
    ...(settings && { settings }),
  });
const read = (filePath: string, settings?: ReadSettings) => newTool(settings).run({ filePath }, workshop.newContext());

/** Each of them has 12 lines where the statement has one. */
const functions = (count: number, statement = "  call();\n") =>
  Array.from({ length: count }, (_, index) => `function f${index}() {\n${statement.repeat(9)}}\n\n`).join("");

test("declarations are shown, gaps are named, and the footer says how to read them", async () => {
  const text = `${functions(200)}class Last {\n  method() {\n    one();\n    two();\n    three();\n  }\n}\n`;
  const path = workshop.put("a.ts", text);
  const { output, ...rest } = await read("a.ts");
  const rows = output.split("\n");
  expect(rows.slice(0, 3)).toEqual(["1|function f0() {", "… 2-12", "13|function f1() {"]);
  expect(rows.slice(-5)).toEqual([
    "2401|class Last {",
    "2402|  method() {",
    "… 2403-2406",
    "2407|}",
    "(outline of 2407 lines, 2204 of them left out at …; read what you need by its lines, such as a.ts:2-12,14-24,26-36, or all from a.ts:1-)",
  ]);
  expect(rest).toEqual({ title: "a.ts", metadata: { totalLines: 2_407, isSummary: true } });
  expect(workshop.files.known(path)).toBe(hashContent(text));
  expect((await read("a.ts:2403-2406")).output).toMatch(/^2402\| {2}method\(\) \{\n2403\| {4}one\(\);\n/);
});

test("the same outline is not shown twice", async () => {
  workshop.put("a.ts", functions(200));
  const tool = newTool();
  await tool.run({ filePath: "a.ts" }, workshop.newContext());
  expect(await tool.run({ filePath: "a.ts" }, workshop.newContext())).toEqual({
    output:
      "Unchanged since you last read the outline of a.ts: that result still holds. To have the text again, read a.ts:1-.",
    title: "a.ts",
    metadata: { totalLines: 2_400, isSummary: true, isUnchanged: true },
  });
});

test("parts, raw text, short files, other files and long flat ones come as they are", async () => {
  workshop.put("a.ts", functions(200));
  workshop.put("short.ts", functions(166));
  workshop.put("a.txt", functions(200));
  workshop.put("flat.ts", "call();\n".repeat(2_500));
  workshop.put("longer.ts", functions(700, "  call();\n".repeat(3)));
  const continued = (name: string, lines: number) => new RegExp(`of ${lines}; continue with ${name}\\d+\\)$`);
  for (const [target, lines] of [
    ["a.ts:1-", 2_400],
    ["a.ts:raw", 2_400],
  ] as const)
    expect((await read(target)).output, target).toMatch(continued("a.ts:(?:raw:)?", lines));
  expect((await read("short.ts")).output).toMatch(/\(lines 1-1992 of 1992\)$/);
  for (const [target, lines] of [
    ["a.txt", 2_400],
    ["flat.ts", 2_500],
    ["longer.ts", 21_000],
  ] as const)
    expect((await read(target)).output, target).toMatch(continued("offset ", lines));
  expect((await read("a.ts", { defaultLimit: 2_000, summarize: false })).output).toMatch(continued("offset ", 2_400));
});

test("a file of more than 256 KB is outlined too, one of more than 2 MiB is not", async () => {
  const wide = `  call("${"x".repeat(100)}");\n`;
  workshop.put("large.ts", functions(300, wide));
  workshop.put("huge.ts", functions(300, `  call("${"x".repeat(900)}");\n`));
  workshop.put("binary.ts", Buffer.concat([Buffer.from([0]), Buffer.from(functions(300, wide))]));
  expect((await read("large.ts")).output).toMatch(/^1\|function f0\(\) \{\n… 2-12\n13\|function f1/);
  expect((await read("huge.ts")).output).toMatch(/continue with offset \d+\)$/);
  expect((await read("binary.ts")).output).toMatch(/cannot be shown: binary file/);
});

test("a lower limit holds for what names no end, and outlines what is longer", async () => {
  const settings = { defaultLimit: 40, summarize: true };
  workshop.put("a.ts", functions(10));
  workshop.put("a.txt", "x\n".repeat(100));
  expect((await read("a.ts", settings)).output).toMatch(/^1\|function f0\(\) \{\n… 2-12\n/);
  expect((await read("a.txt", settings)).output).toMatch(/\n40\|x\n\(lines 1-40 of 100; continue with offset 41\)$/);
  expect((await read("a.txt:50-", settings)).output).toMatch(/^49\|x\n.*\(lines 49-88 of 100;/s);
  expect((await read("a.txt:1-60", settings)).output).toMatch(/\(lines 1-63 of 100;/);
  expect((await read("a.txt", { ...settings, defaultLimit: 9_999 })).output).toMatch(/\(lines 1-100 of 100\)$/);
});
