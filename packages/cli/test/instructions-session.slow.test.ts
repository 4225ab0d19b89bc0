/** Instruction files over the length of a session, at a terminal and after a summary, through the real program. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockScript, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await bench.close();
});

const done: MockTurn = { text: "Done." };

function put(path: string, text: string): void {
  mkdirSync(dirname(join(bench.project, path)), { recursive: true });
  writeFileSync(join(bench.project, path), text);
}

function whole(index: number): string {
  const { body } = bench.model.requests[index] ?? {};
  const { messages = [] } = (body ?? {}) as { readonly messages?: readonly { readonly content: string }[] };
  return messages.map(({ content }) => content).join("\n");
}

test("a yes at a terminal to a project that brings nothing but AGENTS.md has it loaded at once", async () => {
  bench = await openWorkbench([done]);
  put("AGENTS.md", "Say zanzibar.");
  terminal = openTerminal(bench, ["--console", "go on"], { environment: { KEDGE_CATALOGUE_URL: "off" } });
  expect(await terminal.shows("Trust this project? [y/N] ")).toContain("  AGENTS.md (instructions)");
  terminal.press("y");
  terminal.press("Enter");
  await terminal.shows("Done.");
  expect(whole(0)).toContain("Say zanzibar.");
  terminal.type("/exit");
  terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
});

test("a project with a file below its root alone is asked about where that file counts", async () => {
  bench = await openWorkbench([done, done]);
  put("app/AGENTS.md", "Say zanzibar.");
  const cwd = join(bench.project, "app");
  expect((await bench.run(["-p", "hi"], { cwd })).stderr).toContain("This project's instruction files are not loaded");
  await bench.run(["trust", "add"]);
  expect(await bench.run(["-p", "hi"], { cwd })).toMatchObject({ stderr: "" });
  expect([whole(0).includes("zanzibar"), whole(1).includes("zanzibar")]).toEqual([false, true]);
});

test("in the home directory the user's own files count, and nobody is asked to trust it", async () => {
  bench = await openWorkbench([done]);
  mkdirSync(join(bench.directory, ".claude"));
  writeFileSync(join(bench.directory, ".claude/CLAUDE.md"), "Say zanzibar.");
  writeFileSync(join(bench.directory, "AGENTS.md"), "Say nothing.");
  expect(await bench.run(["-p", "hi"], { cwd: bench.directory })).toMatchObject({ code: 0, stderr: "" });
  expect([whole(0).includes("zanzibar"), whole(0).includes("Say nothing.")]).toEqual([true, false]);
});

test("after a summary the head is made of the files as they are on the disk", async () => {
  // Three prompts, the summary, and one prompt more.
  const script: MockScript = (_, index) => {
    if (index === 3) put("AGENTS.md", "New zanzibar.");
    return index === 3 ? { text: "## Goal\nTo go on." } : { text: "Done. ".repeat(9_000) };
  };
  bench = await openWorkbench(script);
  put("AGENTS.md", "Old zanzibar.");
  const ran = await bench.run(["--console", "--trust"], { input: "one\ntwo\nthree\n/compact\nfour\n/exit\n" });
  expect(bench.model.requests.length, ran.stdout.slice(-2000)).toBe(5);
  expect(whole(0)).toContain("Old zanzibar.");
  const [head = ""] = whole(4).match(/<system-reminder>[\s\S]*?<\/system-reminder>/) ?? [];
  expect(head).toMatch(/<instruction-file path="AGENTS\.md"[\s\S]*New zanzibar\./);
  expect(whole(4)).not.toMatch(/has changed|Old zanzibar/);
});

test("includes five deep, a circle, comments and frontmatter, as the model reads them", async () => {
  bench = await openWorkbench([done]);
  put("AGENTS.md", "---\ntitle: x\n---\nTop W0 <!-- hidden --> @docs/d1.md `@docs/never.md`");
  for (let depth = 1; depth <= 6; depth += 1) put(`docs/d${depth}.md`, `W${depth} @d${depth + 1}.md @../AGENTS.md`);
  put("docs/never.md", "W9");
  await bench.run(["-p", "hi", "--trust"]);
  expect(whole(0).match(/\bW\d\b/g)).toEqual(["W5", "W4", "W3", "W2", "W1", "W0"]);
  expect(whole(0)).toContain("[docs/d5.md: @d6.md is not included: more than 5 includes deep]");
  expect(whole(0)).not.toMatch(/hidden|title: x/);
});

test("an edit of AGENTS.md that the user accepted counts with the next prompt, and keeps the trust", async () => {
  const write: MockTurn = {
    toolCalls: [{ name: "write", input: { filePath: "AGENTS.md", content: "New zanzibar.\n" } }],
  };
  const read: MockTurn = { toolCalls: [{ name: "read", input: { filePath: "AGENTS.md" } }] };
  bench = await openWorkbench([read, write, done, done, done]);
  put("AGENTS.md", "Old zanzibar.\n");
  const { stdout } = await bench.run(["--console", "--trust"], { input: "improve it\ny\nand now\n/memory\n/exit\n" });
  expect(readFileSync(join(bench.project, "AGENTS.md"), "utf8")).toBe("New zanzibar.\n");
  expect(whole(3)).toMatch(/AGENTS\.md has changed\.[\s\S]*<instruction-file[\s\S]*New zanzibar\./);
  expect(stdout).toMatch(/Loaded \(1 file, about \d+ tokens\)\n +AGENTS\.md +project, 14 bytes, read at startup/);
  expect(await bench.run(["-p", "hi"])).toMatchObject({ stderr: "" });
  expect(whole(4)).toContain("New zanzibar.");
});

test("the cost of a file is its own: a request without one is as it was, and with one longer by the file and its frame", async () => {
  bench = await openWorkbench([done, done]);
  await bench.run(["-p", "hi"]);
  const text = `${"Run the tests. ".repeat(270)}`.trim();
  put("AGENTS.md", text);
  await bench.run(["-p", "hi", "--trust"]);
  const [without, withFile] = bench.model.requests.map(({ body }) => JSON.stringify(body).length);
  const frame = (withFile ?? 0) - (without ?? 0) - text.length;
  expect(frame).toBeGreaterThan(0);
  // Two sentences, one tag and one message.
  expect(frame).toBeLessThan(480);
});
