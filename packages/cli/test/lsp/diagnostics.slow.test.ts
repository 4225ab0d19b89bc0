/** Proves with the real program and TypeScript's own server: an error that an edit makes is told once, and gone once repaired. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const edit = (oldString: string, newString: string): MockTurn => ({
  toolCalls: [{ name: "edit", input: { filePath: "a.ts", oldString, newString } }],
});

async function runEdits(turns: readonly MockTurn[], settings: { readonly [name: string]: unknown } = {}) {
  const opened = await openWorkbench([...turns, { text: "Done." }], settings);
  bench = opened;
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(opened.project, name)), { recursive: true });
    writeFileSync(join(opened.project, name), text);
  };
  put("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, noEmit: true } }));
  put("a.ts", "export const count: number = 1;\n");
  return { bench: opened, put };
}

const accept = ["--permission-mode", "accept-edits", "--output-format", "stream-json"];

function results(stdout: string): readonly string[] {
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.flatMap(({ type, output, tool }) => (type === "tool_result" && tool !== "read" ? [String(output)] : []));
}

test("fifty edits: an error is told with the edit that makes it, and with no other", async () => {
  const broken = "export const count: number = 'one';";
  const sound = "export const count: number = 1;";
  const turns: MockTurn[] = [{ toolCalls: [{ name: "read", input: { filePath: "a.ts" } }] }];
  for (let round = 0; round < 25; round += 1) turns.push(edit(sound, broken), edit(broken, sound));
  const { bench: opened } = await runEdits(turns);
  const { stdout, code } = await opened.run(["-p", "go", ...accept]);
  expect(code).toBe(0);
  const told = results(stdout).map((output) => output.match(/a\.ts:\d+:\d+ error: .*/g) ?? []);
  const error = "a.ts:1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)";
  expect(told).toEqual(Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? [error] : [])));
  expect(readFileSync(join(opened.project, "a.ts"), "utf8")).toBe(`${sound}\n`);
});
