/** The list of instruction files names every candidate with what became of it, why, what it costs and what to do about it. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { done, listed, put } from "./instruction-bench.ts";

let bench: Workbench;
afterEach(() => bench.close());

test("each candidate and each @ token that is not taken has its reason and its remedy", async () => {
  bench = await openWorkbench([done], { disabledProviders: ["gemini"] });
  const { project, directory } = bench;
  put(
    project,
    "AGENTS.md",
    [
      "Say hello. @docs/style.md",
      "@docs/absent.md @docs/picture.png @../outside.md `@docs/code.md` me@docs/mail.md @AGENTS.md",
    ].join("\n"),
  );
  put(project, "docs/style.md", "Tabs.");
  put(project, "docs/code.md", "x");
  put(project, "docs/mail.md", "x");
  put(project, "docs/picture.png", "x");
  put(directory, "outside.md", "x");
  put(directory, "AGENTS.md", "above the project");
  put(project, "CLAUDE.md", "Say hello again.");
  put(project, "KEDGE.md", "Say hello again.");
  put(project, "GEMINI.md", "switched off");
  put(project, "CONTEXT.md", "old");
  put(project, ".claude/CLAUDE.md", "<!-- nothing -->");
  mkdirSync(join(project, ".claude/rules"), { recursive: true });
  put(project, ".kedge/rules/ts.md", '---\npaths: "*.ts"\n---\nRule');
  put(project, ".github/copilot-instructions.md", "Only where one stands.");
  put(project, "app/AGENTS.md", "Here.");
  put(project, "app/deep/AGENTS.md", "Deeper.");
  symlinkSync("/nowhere/at/all.md", join(project, "app/CLAUDE.md"));
  mkdirSync(join(project, "app/KEDGE.md"));
  const cwd = join(project, "app");
  await bench.run(["trust", "add"], { cwd });
  const rows = await listed(bench, { cwd });
  const shown = rows.map(({ path, status, why, tokens }) => {
    const name = path.startsWith(project) ? path.slice(project.length + 1) : path.replace(directory, "~");
    return `${name}: ${status}: ${why}: ${tokens > 0 ? "tokens" : "none"}`;
  });
  expect(shown).toEqual([
    "CONTEXT.md: loaded: read at startup: tokens",
    "docs/style.md: loaded: included by AGENTS.md: tokens",
    "AGENTS.md: loaded: read at startup: tokens",
    "GEMINI.md: not-loaded: disabled by the setting disabledProviders: none",
    "CLAUDE.md: not-loaded: same content as KEDGE.md: none",
    ".claude/CLAUDE.md: not-loaded: empty: none",
    "KEDGE.md: loaded: read at startup: tokens",
    ".kedge/rules/ts.md: not-loaded: waits for a file that matches *.ts: tokens",
    "app/AGENTS.md: loaded: read at startup: tokens",
    "app/KEDGE.md: not-loaded: a directory, not a file: none",
    "app/deep/AGENTS.md: not-loaded: attached when a file in app/deep is first read or edited: none",
    ".github/copilot-instructions.md: not-loaded: not searched: it only applies in the working directory: none",
    "~/AGENTS.md: not-loaded: not searched: above the project; include it with the setting instructions.walkPastRepo: none",
    ".claude/rules: not-loaded: directory empty: none",
  ]);
  expect(rows.flatMap(({ notes }) => notes).toSorted()).toEqual(
    [
      "CONTEXT.md is deprecated; rename it to AGENTS.md",
      `@../outside.md is not included: outside the project and not approved; run kedge instructions approve ${directory}/outside.md`,
      "@docs/absent.md is not included: missing",
      "@docs/picture.png is not included: not a text file",
      "@AGENTS.md is not included: already loaded",
      "@docs/code.md is not included: it is inside code",
      "@docs/mail.md is not included: it looks like a URL",
    ].toSorted(),
  );
  // The same for a person, with every file named.
  const { stdout } = await bench.run(["config", "explain", "--instructions"], { cwd });
  expect(rows.filter(({ path }) => !stdout.includes(path.slice(path.lastIndexOf("/") + 1)))).toEqual([]);
});

test("of near-copies only the strongest counts with per-depth shadowing, and the list says which", async () => {
  bench = await openWorkbench([done], { instructions: { shadowing: "per-depth" } });
  put(bench.project, "AGENTS.md", "Root.");
  put(bench.project, "package/AGENTS.md", "Package.");
  put(bench.project, "package/.github/copilot-instructions.md", "Copilot.");
  const cwd = join(bench.project, "package");
  await bench.run(["trust", "add"], { cwd });
  const rows = await listed(bench, { cwd });
  expect(rows.map(({ path, why }) => [path.slice(bench.project.length + 1), why])).toEqual([
    ["AGENTS.md", "read at startup"],
    ["package/AGENTS.md", "shadowed by package/.github/copilot-instructions.md"],
    ["package/.github/copilot-instructions.md", "read at startup"],
  ]);
});
