/** A user's directory and a project with set-ups of other agents, for tests of the import. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfiguration } from "../../src/configuration/load-configuration.ts";
import { explainToolCall } from "../../src/explain/explain-permission.ts";
import { applyImport } from "../../src/import/apply-import.ts";
import type { ImportScope } from "../../src/import/findings.ts";
import type { ImportedAgent } from "../../src/import/plan/import-plan.ts";
import { planImport } from "../../src/import/plan/plan-import.ts";
import { openHome } from "../../src/machine/home.ts";

/** A tool, what it is about, and what becomes of it. */
export type JudgedCall = readonly [tool: string, subject: string, verdict: string];

export type ImportSite = ReturnType<typeof openImportSite>;

export function openImportSite() {
  const user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-import-")));
  const project = join(user, "project");
  // All that the import wants to know of a repository.
  mkdirSync(join(project, ".git"), { recursive: true });
  const opened = openHome(join(user, ".kedge"));
  if (!opened.ok) throw new Error(opened.failure.message);
  const { home } = opened;
  const places = { home: home.directory, userDirectory: user, projectRoot: project };

  async function load() {
    const sources = { ...places, cwd: project, environment: {}, files: [], isTrusted: true };
    const loaded = await loadConfiguration(sources);
    if (!loaded.ok) throw new Error(loaded.failure.message);
    return loaded;
  }

  const plan = (agent: ImportedAgent, ...scopes: readonly ImportScope[]) =>
    planImport({ agent, scopes: scopes.length === 0 ? ["user", "project"] : scopes }, places);

  return {
    user,
    project,
    home,
    places,
    write(path: string, content: unknown): void {
      const whole = join(user, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
    },
    read: (path: string) => (existsSync(join(user, path)) ? readFileSync(join(user, path), "utf8") : undefined),
    settings: (path: string): unknown => JSON.parse(readFileSync(join(user, path), "utf8")),
    plan,
    /** What would be written and what is left, in short: names of files, and a line for each note. */
    async summary(agent: ImportedAgent, ...scopes: readonly ImportScope[]) {
      const { files, notes } = await plan(agent, ...scopes);
      return {
        files: files.map(({ name }) => name),
        notes: notes.map(({ kind, file, key, why }) => `${kind} ${file}${key === undefined ? "" : `: ${key}`}: ${why}`),
      };
    },
    async run(agent: ImportedAgent, ...scopes: readonly ImportScope[]) {
      const planned = await plan(agent, ...scopes);
      const applied = applyImport(planned.files, { home, projectRoot: project });
      if (!applied.ok) throw new Error(applied.failure.message);
      return planned;
    },
    load,
    /** What kedge decides about calls by its own files alone. */
    async judge(calls: readonly JudgedCall[]): Promise<readonly JudgedCall[]> {
      const file = join(home.directory, "config.json");
      const own = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
      const others = ["claude", "opencode", "codex", "gemini", "omp"];
      writeFileSync(file, JSON.stringify({ ...own, disabledProviders: others }));
      const { configuration } = await load();
      const surroundings = {
        ...{ cwd: project, root: project, home: user, kedgeHome: home.directory },
        ...{ rules: configuration.rules, mode: "default" as const, isSandboxed: false, confinesLooks: false },
      };
      return calls.map(
        ([tool, subject]) => [tool, subject, explainToolCall(tool, subject, surroundings).verdict] as const,
      );
    },
    close: () => rmSync(user, { recursive: true, force: true }),
  };
}
