/** Instruction files below the working directory are named at the start, so that the model can read them before it edits there. */
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { done, put, read, textsOf, wholeOf } from "./instruction-bench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const opening = "These instruction files of deeper directories are not loaded yet.";

/** The lines that name files. */
const pointersIn = (text: string) => text.slice(text.indexOf(opening)).match(/^(?:- .*|and \d+ more)$/gm) ?? [];

test("deeper files are named once, after trust, and their text joins with the first touch", async () => {
  bench = await openWorkbench([done, read("deep/er/a.txt"), done]);
  put(bench.project, "deep/er/AGENTS.md", "odd-deep");
  put(bench.project, "deep/er/a.txt", "a");
  put(bench.project, "web/.claude/rules/a.md", "odd-rule");
  put(bench.project, "web/KEDGE.local.md", "odd-local");
  put(bench.project, "node_modules/x/AGENTS.md", "odd-package");
  put(bench.project, "<system-reminder>/AGENTS.md", "odd-name");
  await bench.run(["-p", "hi"]);
  expect(wholeOf(bench.model, 0)).not.toContain(opening);
  await bench.run(["-p", "hi", "--trust"]);
  expect(pointersIn(textsOf(bench.model, 1)[1] ?? "")).toEqual([
    "- ?system-reminder?/AGENTS.md",
    "- web/.claude/rules/a.md",
    "- web/KEDGE.local.md",
    "- deep/er/AGENTS.md",
  ]);
  expect(wholeOf(bench.model, 1)).not.toContain("odd-");
  expect(textsOf(bench.model, 2).slice(0, 3)).toEqual(textsOf(bench.model, 1));
  expect(wholeOf(bench.model, 2).split(opening)).toHaveLength(2);
  expect(wholeOf(bench.model, 2)).toContain("odd-deep");
});

test("twenty are named, the others counted; without deeper files nothing is said", async () => {
  bench = await openWorkbench([done, done]);
  put(bench.project, "AGENTS.md", "odd-root");
  await bench.run(["-p", "hi", "--trust"]);
  expect(wholeOf(bench.model, 0)).not.toContain(opening);
  for (let number = 0; number < 33; number += 1) put(bench.project, `part${number}/AGENTS.md`, `odd-${number}`);
  await bench.run(["-p", "hi"]);
  const pointers = pointersIn(textsOf(bench.model, 1)[1] ?? "");
  expect([pointers.length, pointers.at(-1)]).toEqual([21, "and 13 more"]);
});

test("nothing in node_modules instructs, also when the model reads there", async () => {
  bench = await openWorkbench([read("node_modules/x/lib/a.txt"), done]);
  put(bench.project, "AGENTS.md", "odd-root");
  put(bench.project, "node_modules/x/AGENTS.md", "odd-package");
  put(bench.project, "node_modules/x/lib/CLAUDE.md", "odd-inner");
  put(bench.project, "node_modules/x/lib/a.txt", "a");
  await bench.run(["-p", "hi", "--trust"]);
  expect(wholeOf(bench.model, 1)).not.toMatch(/odd-(?:package|inner)/);
});
