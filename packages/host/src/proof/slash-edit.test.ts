/** `/edit`: one prompt with the place and the change as they were written, or a sentence about what is missing. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { OpenedProof } from "./open-proof.ts";
import { runSlashEdit } from "./slash-edit.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "kedge-slash-edit-")));
mkdirSync(join(cwd, "src"));
writeFileSync(join(cwd, "src", "tea.ts"), "export const leaves = 2;\n");
writeFileSync(join(cwd, "c:1"), "");
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const opened = { parts: { project: { cwd } } } as unknown as OpenedProof;

const places = ["src/tea.ts", "src/tea.ts:1", "src/tea.ts:1-9", "src/tea.ts:1:8", "src/tea.ts:1:8:", "./src/tea.ts"];

test.each([...places, join(cwd, "src/tea.ts:1")])("a change at %s", async (place) => {
  const answer = await runSlashEdit(`${place} use three leaves\nand say so`, opened);
  expect(answer).toEqual({ prompt: expect.stringContaining(`at ${place}:\n\nuse three leaves\nand say so\n`) });
  const { prompt } = answer as { readonly prompt: string };
  expect(prompt).toContain("one visible diff for each change");
  expect(prompt).toContain("run the tests nearest to the changed file and look at the diagnostics");
});

test("what is written like a slot stays what it is", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the change of a template.
  const change = "write ${place} and $& and $1, then ${change}";
  expect(await runSlashEdit(`src/tea.ts ${change}`, opened)).toEqual({ prompt: expect.stringContaining(change) });
});

test.each([
  ["", "Usage: /edit <file>[:line] <change>."],
  ["src/tea.ts", "Usage: /edit <file>[:line] <change>."],
  ["src/tea.ts:1   ", "Usage: /edit <file>[:line] <change>."],
  ["gone.ts add tea", "File not found: gone.ts."],
  ["src add tea", "File not found: src."],
  ["src/tea.ts/below add tea", "File not found: src/tea.ts/below."],
])("%o asks no model", async (argument, text) => {
  expect(await runSlashEdit(argument, opened)).toEqual({ text });
});

test("a file whose name ends like a line is found", async () => {
  expect(await runSlashEdit("c:1 add tea", opened)).toEqual({ prompt: expect.stringContaining("at c:1:") });
});
