/** Whether anything would be lost with a worktree. Whatever cannot be found out counts as a loss. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "./set-up-worktree.ts";
import { type Repository, runGit, zeroSeparated } from "./worktree-git.ts";
import type { WorktreeRecord } from "./worktree-record.ts";

export type WorktreeState =
  | { readonly kind: "clean" }
  | { readonly kind: "dirty"; readonly reasons: readonly string[] }
  | { readonly kind: "unknown"; readonly problem: string };

export type JudgedWorktree = {
  readonly directory: string;
  readonly gitDirectory: string;
  readonly record: WorktreeRecord;
};

/** Git leaves these while something is half done. */
const unfinished: { readonly [name: string]: string } = {
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  BISECT_LOG: "a bisect",
};

export async function judgeWorktree(repository: Repository, tree: JudgedWorktree): Promise<WorktreeState> {
  const { directory, gitDirectory, record } = tree;
  const status = await runGit(repository, ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"], {
    directory,
  });
  if (!status.ok) return { kind: "unknown", problem: status.problem };
  const ahead = await commitsOfItsOwn(repository, tree);
  if (!ahead.ok) return { kind: "unknown", problem: ahead.problem };
  const entries = zeroSeparated(status.output);
  const untracked = entries.filter((entry) => entry.startsWith("??")).map((entry) => entry.slice(3));
  const reasons = [
    counted(entries.length - untracked.length, "uncommitted change"),
    counted(untracked.filter((path) => !isUnchangedCopy(directory, record, path)).length, "untracked file"),
    counted(ahead.count, "commit on no other branch", "commits on no other branch"),
    counted(changedCopies(directory, record).length, "modified copied file", "modified copied files"),
    ...Object.entries(unfinished)
      .filter(([name]) => lstatSync(join(gitDirectory, name), { throwIfNoEntry: false }) !== undefined)
      .map(([, what]) => `unfinished ${what}`),
  ].filter((reason) => reason !== undefined);
  return reasons.length === 0 ? { kind: "clean" } : { kind: "dirty", reasons };
}

function counted(count: number, one: string, several = `${one}s`): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : several}`;
}

/** Commits that would be reachable from nowhere once the branch is gone. */
async function commitsOfItsOwn(
  repository: Repository,
  { directory, record: { base, branch } }: JudgedWorktree,
): Promise<{ readonly ok: true; readonly count: number } | { readonly ok: false; readonly problem: string }> {
  // One that was renamed keeps its commits under its new name, which nobody deletes.
  const own = await runGit(repository, ["for-each-ref", "--format=%(refname)", `refs/heads/${branch}`], { directory });
  if (!own.ok) return own;
  const tips = own.output.trim() === "" ? ["HEAD"] : ["HEAD", `refs/heads/${branch}`];
  // Without `refs/heads/`: the pattern applies to what `--branches` lists.
  const others = ["--not", base, `--exclude=${branch}`, "--branches", "--remotes", "--tags"];
  const found = await runGit(repository, ["rev-list", "--count", ...tips, ...others], { directory });
  if (!found.ok) return found;
  const count = Number(found.output.trim());
  return Number.isSafeInteger(count) ? { ok: true, count } : { ok: false, problem: "git counted no commits" };
}

/** A file that kedge brought and nobody touched. */
export function isUnchangedCopy(directory: string, { copied }: WorktreeRecord, path: string): boolean {
  const digest = copied[path];
  return digest !== undefined && digest !== "" && digestOf(join(directory, path)) === digest;
}

function changedCopies(directory: string, { copied }: WorktreeRecord): readonly string[] {
  return Object.entries(copied)
    .filter(([path, digest]) => digest !== "" && (digestOf(join(directory, path)) ?? digest) !== digest)
    .map(([path]) => path);
}
