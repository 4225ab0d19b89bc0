/** A long instruction file: where it is told, and how its sections become rules by the user's word alone. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { done, listed, put, read, wholeOf } from "./instruction-bench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const lines = (word: string, count: number) => `Say ${word} while you work there.\n`.repeat(count);
const general = `# Project\n\nSay odd-general.\n\n## Habits\n\n${lines("odd-habit", 150)}`;
const web = `## Web pages\n\nAll of it is in \`packages/web/src\`.\n${lines("odd-web", 60)}`;
const tests = `## Tests\n\nFiles named \`*.test.ts\`.\n${lines("odd-test", 30)}`;

async function openLong(): Promise<string> {
  bench = await openWorkbench([done, read("packages/web/src/a.ts"), done, done]);
  put(bench.project, "packages/web/src/a.ts", "a");
  put(bench.project, "AGENTS.md", `${general}\n${web}\n${tests}`);
  await bench.run(["trust", "add"]);
  return join(bench.project, "AGENTS.md");
}

test("it is named with its sections in the list, in /memory and by kedge doctor", async () => {
  await openLong();
  const hint =
    /long: 2\d\d lines, about [\d,]+ tokens in every request; "Web pages", "Tests" apply to one part of the project\. Move them into rules with kedge instructions split AGENTS\.md/;
  expect((await listed(bench))[0]?.notes).toEqual([expect.stringMatching(hint)]);
  expect((await bench.run(["-p", "/memory"])).stdout).toMatch(hint);
  expect((await bench.run(["doctor"])).stdout).toMatch(hint);
  const { stdout } = await bench.run(["--console"], { input: "hi\n/context\n/exit\n" });
  expect(stdout).toMatch(/AGENTS\.md: long: 2\d\d lines, about [\d,]+ tokens in every request; see \/memory for what could move/);
});

test("the change is shown, made only after a yes, and loses nothing", async () => {
  const path = await openLong();
  const before = readFileSync(path, "utf8");
  const shown = await bench.run(["instructions", "split", "AGENTS.md"]);
  expect([shown.code, readFileSync(path, "utf8"), existsSync(join(bench.project, ".kedge"))]).toEqual([
    1,
    before,
    false,
  ]);
  expect(shown.stdout).toMatch(/^-## Web pages$[\s\S]*^-## Tests$[\s\S]*^\+\+\+ .*\.kedge\/rules\/web-pages\.md$/m);
  expect(shown.stdout).toContain('+  - "packages/web/src/**"');
  expect((await bench.run(["-p", "/memory split AGENTS.md"])).stdout).toContain("Run /memory split AGENTS.md yes");
  expect(readFileSync(path, "utf8")).toBe(before);

  expect(await bench.run(["instructions", "split", "AGENTS.md", "--yes"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Moved to .kedge/rules/web-pages.md, .kedge/rules/tests.md"),
  });
  expect(readFileSync(path, "utf8").trimEnd()).toBe(general.trimEnd());
  await bench.run(["-p", "hi"]);
  expect(wholeOf(bench.model, -1)).toContain("odd-general");
  expect(wholeOf(bench.model, -1)).not.toMatch(/odd-(?:web|test)/);
  await bench.run(["-p", "hi"]);
  const counts = ["odd-web", "odd-test"].map((word) => wholeOf(bench.model, -1).split(word).length - 1);
  expect(counts).toEqual([60, 0]);
  expect(await bench.run(["instructions", "split", "AGENTS.md", "--yes"])).toMatchObject({ code: 1 });
});
