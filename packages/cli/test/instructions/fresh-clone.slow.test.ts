/** A fresh clone with instruction files of every agent: each odd word is in the first request after trust and in none before. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { done, listed, oddWordsOf, put, read, textsOf, wholeOf } from "./instruction-bench.ts";

let bench: Workbench;
afterEach(() => bench.close());

/** Commits what lies in the project of the bench, and clones it as a stranger would. */
function clone(name = "clone"): string {
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.invalid", ...words], {
      cwd: bench.project,
      stdio: "pipe",
    });
  git("add", "--all", "--force");
  git("commit", "--quiet", "--message=x");
  const target = join(bench.directory, name);
  git("clone", "--quiet", bench.project, target);
  return target;
}

const everywhere = [
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
  "KEDGE.md",
  "CONTEXT.md",
  ".kedge/KEDGE.md",
  ".kedge/AGENTS.md",
  ".kedge/rules/tone.md",
  ".claude/CLAUDE.md",
  ".claude/rules/deep/tone.md",
  ".gemini/GEMINI.md",
  ".github/copilot-instructions.md",
  ".github/instructions/web/tone.instructions.md",
  ".agent/AGENTS.md",
  ".agents/AGENTS.md",
  ".omp/AGENTS.md",
  ".omp/rules/tone.md",
];

const wordFor = (path: string) =>
  `odd-${path
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/^-|-$/g, "")}`;

test("every file of every agent is read after trust, none before, and the list says so", async () => {
  bench = await openWorkbench([done, done]);
  for (const path of everywhere) put(bench.project, path, `Say ${wordFor(path)}.\n`);
  // A backup of a shortened file, and what a model wrote for itself, instruct nobody.
  put(bench.project, "AGENTS.original.md", "Say odd-backup.");
  put(bench.project, ".github/instructions/memory.instructions.md", "Say odd-model.");
  const cwd = clone();
  const rowsBefore = await listed(bench, { cwd });
  await bench.run(["-p", "hi"], { cwd });
  expect(oddWordsOf(bench.model, 0)).toEqual([]);
  expect(
    rowsBefore.map(({ status, why, tokens }) => [status, tokens, /not trusted; run kedge trust/.test(why)]),
  ).toEqual(rowsBefore.map(() => ["not-loaded", 0, true]));
  expect(rowsBefore.map(({ path }) => path.slice(cwd.length + 1)).sort()).toEqual(
    [...everywhere, ".github/instructions/memory.instructions.md"].sort(),
  );

  await bench.run(["-p", "hi", "--trust"], { cwd });
  const [system = "", head = "", ...rest] = textsOf(bench.model, 1);
  const [instructions = "", data = ""] = head.split("</system-reminder>");
  expect([...instructions.matchAll(/odd-[a-z-]+/g)].map(([word]) => word).sort()).toEqual(
    everywhere.map(wordFor).sort(),
  );
  expect(system + rest.join("")).not.toMatch(/odd-(?!model)/);
  expect(wholeOf(bench.model, 1)).not.toContain("odd-backup");
  expect(instructions).not.toContain("odd-model");
  expect(data + rest.join("")).toMatch(/<untrusted-data[^>]*>[\s\S]*odd-model/);
  const rows = await listed(bench, { cwd });
  expect(
    rows
      .filter(({ status }) => status === "loaded")
      .map(({ path }) => path.slice(cwd.length + 1))
      .sort(),
  ).toEqual([...everywhere].sort());
  expect(rows.filter(({ status, tokens }) => status === "loaded" && tokens < 3)).toEqual([]);
});

test("of .pi only where there is no .omp, and the files of other places only in the working directory", async () => {
  bench = await openWorkbench([done, done]);
  put(bench.project, ".pi/AGENTS.md", "odd-pi");
  put(bench.project, ".gemini/GEMINI.md", "odd-gemini");
  put(bench.project, ".github/copilot-instructions.md", "odd-copilot");
  put(bench.project, "app/x.ts", "");
  const cwd = join(clone(), "app");
  await bench.run(["-p", "hi", "--trust"], { cwd });
  expect(oddWordsOf(bench.model, 0)).toEqual(["odd-pi"]);
  put(bench.project, ".omp/AGENTS.md", "odd-omp");
  await bench.run(["-p", "hi", "--trust"]);
  expect(oddWordsOf(bench.model, 1).toSorted()).toEqual(["odd-copilot", "odd-gemini", "odd-omp"]);
});

test("a link inside the clone is its target, one that leads out is named and not followed", async () => {
  bench = await openWorkbench([done]);
  const { project, directory } = bench;
  put(directory, "outside.md", "odd-outside");
  put(directory, "outside-rules/a.md", "odd-outside-rule");
  put(project, "docs/agents.md", "odd-inside");
  symlinkSync("docs/agents.md", join(project, "AGENTS.md"));
  symlinkSync("../outside.md", join(project, "CLAUDE.md"));
  symlinkSync("GEMINI.md", join(project, "GEMINI.md"));
  symlinkSync(join(directory, "absent.md"), join(project, "KEDGE.md"));
  mkdirSync(join(project, ".kedge"));
  symlinkSync("../../outside-rules", join(project, ".kedge/rules"));
  put(project, "docs/more.md", "odd-more @../CLAUDE.md");
  put(project, ".claude/CLAUDE.md", "See @../docs/more.md and @../docs/agents.md");
  const cwd = clone();
  expect(await bench.run(["-p", "hi", "--trust"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  expect(oddWordsOf(bench.model, 0).toSorted()).toEqual(["odd-inside", "odd-more"]);
  const rows = (await listed(bench, { cwd })).map(({ path, why }) => `${path.slice(cwd.length + 1)}: ${why}`);
  const outside = "outside the project and not approved; run kedge instructions approve";
  expect(rows).toEqual([
    "AGENTS.md: read at startup",
    "GEMINI.md: unreadable: ELOOP",
    `CLAUDE.md: ${outside} ${directory}/outside.md`,
    "docs/more.md: included by .claude/CLAUDE.md",
    ".claude/CLAUDE.md: read at startup",
    `.kedge/rules/a.md: ${outside} ${directory}/outside-rules/a.md`,
  ]);
});

test("a folder with a dot brings its own AGENTS.md to its own agent alone", async () => {
  bench = await openWorkbench([read(".cursor/a.txt"), read("deep/.omp/a.txt"), read("deep/a.txt"), done]);
  put(bench.project, ".cursor/AGENTS.md", "odd-cursor");
  put(bench.project, ".cursor/a.txt", "a");
  put(bench.project, "deep/a.txt", "a");
  put(bench.project, "deep/.omp/a.txt", "a");
  put(bench.project, "deep/.omp/AGENTS.md", "odd-deep-omp");
  put(bench.project, "deep/.github/copilot-instructions.md", "odd-deep-copilot");
  const cwd = clone();
  await bench.run(["-p", "hi", "--trust"], { cwd });
  expect([0, 1, 2, 3].map((index) => oddWordsOf(bench.model, index))).toEqual([
    [],
    [],
    ["odd-deep-omp"],
    ["odd-deep-omp"],
  ]);
});
