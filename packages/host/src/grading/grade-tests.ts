/** `kedge grade`: what a target, a command and the settings come to, and the grade that is known already. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { type CreateParts, runGit, zeroSeparated } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { createGrammars, findMutants, mutationVersion } from "@kedge/tools";
import { graderView } from "./grader-view.ts";
import { type GradingSite, gradingSandbox } from "./grading-sandbox.ts";
import { readVerdicts, storeVerdicts, type Verdicts } from "./known-verdicts.ts";
import { countVerdicts, type GradedMutant, gradeByMutants, type MutationCount } from "./mutation-score.ts";

export type GradeWish = {
  /** A file, with `:from-to` for lines of it. */
  readonly target: string;
  readonly command: string;
  readonly buildCommand?: string;
  /** Runs again what is known already. */
  readonly isFresh?: true;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
};

export type GradeSite = GradingSite & {
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly worktrees: CreateParts;
  readonly monotonicMs: () => number;
};

export type Graded = MutationCount & {
  readonly mutants: readonly GradedMutant[];
  readonly target: string;
  /** All of it was known: nothing ran. */
  readonly isKnown: boolean;
};

const mutantsMax = 60;

export async function gradeTests(wish: GradeWish, site: GradeSite): Promise<Answer<Graded>> {
  const { repository, dependencyFolders } = site.worktrees;
  const [, path = "", from, to] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(wish.target) ?? [];
  const file = resolve(site.cwd, path);
  const target = relative(repository.root, file);
  if (target === "" || target.startsWith(`..${sep}`)) return refused(`${path} is not in this project.`);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return refused(`File not found: ${path}.`);
  const lines = from === undefined ? undefined : { from: Number(from), to: Number(to ?? from) };
  const text = readFileSync(file, "utf8");
  const found = await findMutants(createGrammars(), {
    ...{ path: target, text, mutantsMax },
    ...(lines !== undefined && { lines }),
  });
  if (!found.ok) return refused(found.problem);
  if (found.mutants.length === 0) return refused(`${wish.target} has no code that can be changed to grade its tests.`);
  const { command, buildCommand } = wish;
  const key = await keyOf(
    site,
    target,
    JSON.stringify([mutationVersion, target, found.outside, command, buildCommand]),
  );
  const verdicts = key === undefined || wish.isFresh ? {} : readVerdicts(site.home, key);
  const unknown = found.mutants.filter(({ identity }) => verdicts[identity] === undefined);
  const grade =
    unknown.length === 0
      ? undefined
      : await gradeByMutants({
          ...{ repository, dependencyFolders, target, command, mutants: unknown },
          ...(buildCommand !== undefined && { buildCommand }),
          ...(wish.signal !== undefined && { signal: wish.signal }),
          ...(wish.onProgress !== undefined && { onProgress: wish.onProgress }),
          ...{ environment: site.environment, monotonicMs: site.monotonicMs },
          newSandbox: (directory) => gradingSandbox(directory, site, graderView(directory, dependencyFolders)),
        });
  if (grade?.ok === false) return refused(grade.why);
  const all: Verdicts = { ...verdicts };
  for (const { identity, verdict } of grade?.mutants ?? []) all[identity] = verdict;
  if (key !== undefined && grade !== undefined) storeVerdicts(site.home, key, all);
  const mutants = found.mutants.flatMap(({ text: _, ...mutant }) => {
    const verdict = all[mutant.identity];
    return verdict === undefined ? [] : [{ ...mutant, verdict }];
  });
  return { ok: true, value: { ...countVerdicts(mutants), mutants, target, isKnown: grade === undefined } };
}

/** Everything else that can change a verdict: what is run, and the other files of the project. */
async function keyOf(
  { worktrees: { repository } }: GradeSite,
  target: string,
  wish: string,
): Promise<string | undefined> {
  const listed = await runGit(repository, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  if (!listed.ok) return undefined;
  const hash = createHash("sha256").update(wish);
  for (const name of [...new Set(zeroSeparated(listed.output))].sort()) {
    const path = join(repository.root, name);
    if (name === target || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    hash.update(`\0${name}\0`).update(createHash("sha256").update(readFileSync(path)).digest());
  }
  return hash.digest("hex");
}
