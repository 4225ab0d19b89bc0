/** Whether anything would be lost with a worktree. Whatever cannot be found out counts as a loss. */
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
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
  const status = await runGit(repository, statusWords, { directory });
  if (!status.ok) return { kind: "unknown", problem: status.problem };
  const nested = await nestedRepositories(repository, directory);
  if (!nested.ok) return { kind: "unknown", problem: nested.problem };
  const ahead = await commitsOfItsOwn(repository, tree);
  if (!ahead.ok) return { kind: "unknown", problem: ahead.problem };
  const entries = zeroSeparated(status.output);
  const untracked = entries.filter((entry) => entry.startsWith("??")).map((entry) => entry.slice(3));
  const reasons = [
    counted(entries.length - untracked.length, "uncommitted change"),
    counted(untracked.filter((path) => !isUnchangedCopy(directory, record, path)).length, "untracked file"),
    counted(nested.count, "repository inside of it", "repositories inside of it"),
    counted(ahead.count, "commit on no other branch", "commits on no other branch"),
    counted(changedCopies(directory, record).length, "modified copied file", "modified copied files"),
    ...Object.entries(unfinished)
      .filter(([name]) => lstatSync(join(gitDirectory, name), { throwIfNoEntry: false }) !== undefined)
      .map(([, what]) => `unfinished ${what}`),
  ].filter((reason) => reason !== undefined);
  return reasons.length === 0 ? { kind: "clean" } : { kind: "dirty", reasons };
}

/** Git would run the filters and watchers of a repository inside of this one, which whoever works here may have made. */
const statusWords: readonly string[] = [
  ...["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"],
  "--ignore-submodules=dirty",
];

const repositoryMode = "160000 ";

/** Nobody looks into them, so what is not committed there would be lost. */
async function nestedRepositories(repository: Repository, directory: string): Promise<Count> {
  const listed = await runGit(repository, ["ls-files", "--stage", "-z"], { directory });
  if (!listed.ok) return listed;
  const paths = zeroSeparated(listed.output)
    .filter((entry) => entry.startsWith(repositoryMode))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
  const isThere = (path: string) => lstatSync(join(directory, path, ".git"), { throwIfNoEntry: false }) !== undefined;
  return { ok: true, count: paths.filter(isThere).length };
}

function counted(count: number, one: string, several = `${one}s`): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : several}`;
}

type Count = { readonly ok: true; readonly count: number } | { readonly ok: false; readonly problem: string };

/** Commits that would be reachable from nowhere once the branch is gone. */
async function commitsOfItsOwn(
  repository: Repository,
  { directory, record: { base, branch } }: JudgedWorktree,
): Promise<Count> {
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
  return digest !== undefined && digest !== "" && digestIn(directory, path) === digest;
}

function changedCopies(directory: string, { copied }: WorktreeRecord): readonly string[] {
  return Object.entries(copied)
    .filter(([path, digest]) => digest !== "" && (digestIn(directory, path) ?? digest) !== digest)
    .map(([path]) => path);
}

/** Undefined for what is not a file of the worktree: a directory above it may have become a link to somewhere else. */
function digestIn(directory: string, path: string): string | undefined {
  const file = join(directory, path);
  try {
    if (realpathSync.native(dirname(file)) !== join(realpathSync.native(directory), dirname(path))) return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
  return digestOf(file);
}
