/** A repository of its own with one commit, the base of a bundle, and its diff on top: no later history is in it. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Repository, runGit } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { makeBaseCopy } from "../../grading/base-copy.ts";
import type { GradedCopy } from "../../grading/graded-copy.ts";
import { linkDependencies } from "../../grading/link-dependencies.ts";
import type { ProofSite } from "../check-reproduction.ts";

export type CleanClone = GradedCopy & {
  readonly repository: Repository;
  /** The commit that has the files of the base. */
  readonly base: string;
};

export async function makeCleanClone(base: string, { worktrees }: ProofSite): Promise<Answer<CleanClone>> {
  const { repository, dependencyFolders } = worktrees;
  const copy = await makeBaseCopy(repository, base, []);
  if (!copy.ok) return copy;
  const { directory, remove } = copy.value;
  const own: Repository = { ...repository, root: directory };
  const who = ["-c", "user.name=kedge", "-c", "user.email=kedge@localhost", "-c", "commit.gpgsign=false"];
  const steps = [
    ["init", "--quiet"],
    ["add", "--all", "--force", "--", "."],
    [...who, "commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Base"],
    ["rev-parse", "HEAD"],
  ];
  let output = "";
  for (const words of steps) {
    const done = await runGit(own, words);
    if (!done.ok) {
      remove();
      return refused(`Could not create a clean clone: ${done.problem}.`);
    }
    output = done.output;
  }
  for (const folder of dependencyFolders) linkDependencies(repository.root, directory, folder);
  return { ok: true, value: { directory, remove, repository: own, base: output.trim() } };
}

/** Undefined where it applied; otherwise why it does not. */
export async function applyDiff({ repository }: CleanClone, diff: string): Promise<string | undefined> {
  if (diff === "") return undefined;
  const applied = await runGit(repository, ["apply", "--binary", "--whitespace=nowarn", "-"], { input: diff });
  return applied.ok ? undefined : applied.problem;
}

/** Copies that graders made in it go with it. */
export function dropClone({ directory, remove }: CleanClone): void {
  remove();
  if (existsSync(directory)) rmSync(join(directory), { recursive: true, force: true });
}
