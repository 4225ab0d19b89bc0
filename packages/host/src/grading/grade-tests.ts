/** `kedge grade`: what a target, a command and the settings come to, and the grade that is known already. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { type CreateParts, runGit, zeroSeparated } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { createGrammars, findMutants, mutationVersion } from "@kedge/tools";
import type { Home } from "../machine/home.ts";
import { createCommandSandbox } from "../shell/command-sandbox.ts";
import { gradeByMutants, type MutationGrade } from "./mutation-score.ts";

export type GradeWish = {
  /** A file, with `:from-to` for lines of it. */
  readonly target: string;
  readonly command: string;
  readonly buildCommand?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
};

export type GradeSite = {
  readonly cwd: string;
  readonly home: Home;
  readonly userDirectory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly worktrees: CreateParts;
  readonly monotonicMs: () => number;
};

export type Graded = Extract<MutationGrade, { readonly ok: true }> & {
  readonly target: string;
  /** It was known: nothing ran. */
  readonly isKnown: boolean;
};

export const mutantsMax = 60;

export async function gradeTests(wish: GradeWish, site: GradeSite): Promise<Answer<Graded>> {
  const { repository, dependencyFolders } = site.worktrees;
  const [, path = "", from, to] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(wish.target) ?? [];
  const file = resolve(site.cwd, path);
  const target = relative(repository.root, file);
  if (target === "" || target.startsWith(`..${sep}`)) return refused(`${path} is not in this project.`);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return refused(`There is no file ${path}.`);
  const lines = from === undefined ? undefined : { from: Number(from), to: Number(to ?? from) };
  const text = readFileSync(file, "utf8");
  const found = await findMutants(createGrammars(), {
    ...{ path: target, text, mutantsMax },
    ...(lines !== undefined && { lines }),
  });
  if (!found.ok) return refused(found.problem);
  if (found.mutants.length === 0) return refused(`Nothing in ${wish.target} can be changed to test the tests.`);
  const { command, buildCommand } = wish;
  const key = await keyOf(site, JSON.stringify([mutationVersion, target, lines, command, buildCommand]));
  const known = key === undefined ? undefined : readGrade(cachePath(site.home, key));
  if (known !== undefined) return { ok: true, value: { ...known, target, isKnown: true } };
  const grade = await gradeByMutants({
    ...{ repository, dependencyFolders, target, command, mutants: found.mutants },
    ...(buildCommand !== undefined && { buildCommand }),
    ...(wish.signal !== undefined && { signal: wish.signal }),
    ...(wish.onProgress !== undefined && { onProgress: wish.onProgress }),
    ...{ environment: site.environment, monotonicMs: site.monotonicMs },
    newSandbox: (directory) => sandboxFor(directory, site),
  });
  if (!grade.ok) return refused(grade.why);
  if (key !== undefined) storeGrade(cachePath(site.home, key), grade);
  return { ok: true, value: { ...grade, target, isKnown: false } };
}

function sandboxFor(directory: string, { home, userDirectory }: GradeSite) {
  const settings = { mode: "on", autoAllow: false, allowedHosts: [], writable: [] } as const;
  const sandbox = createCommandSandbox({
    ...{ settings, home, userDirectory, roots: [directory], readable: [], temporaryDirectory: tmpdir() },
  });
  if (sandbox === undefined) throw new Error("a sandbox that is on is there");
  return sandbox;
}

/** Everything that can change the result: the files of the project and what is run. */
async function keyOf({ worktrees: { repository } }: GradeSite, wish: string): Promise<string | undefined> {
  const listed = await runGit(repository, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  if (!listed.ok) return undefined;
  const hash = createHash("sha256").update(wish);
  for (const name of [...new Set(zeroSeparated(listed.output))].sort()) {
    const path = join(repository.root, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    hash.update(`\0${name}\0`).update(createHash("sha256").update(readFileSync(path)).digest());
  }
  return hash.digest("hex");
}

function cachePath({ directory }: Home, key: string): string {
  return join(directory, "cache", "grades", `${key}.json`);
}

type Grade = Extract<MutationGrade, { readonly ok: true }>;

function readGrade(path: string): Grade | undefined {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  } catch {
    // Cut off while it was written; it is graded again.
    return undefined;
  }
}

function storeGrade(path: string, grade: Grade): void {
  mkdirSync(resolve(path, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify(grade), { mode: 0o600 });
}
