/** The worktrees of a repository that kedge made, with what is in them. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type HookWorktree, hookWorktrees } from "./hook-worktrees.ts";
import { type Repository, runWorktreeGit } from "./worktree-git.ts";
import { worktreesFolder } from "./worktree-name.ts";
import { readWorktreeRecord, type WorktreeRecord } from "./worktree-record.ts";
import { type JudgedWorktree, judgeWorktree, type WorktreeState } from "./worktree-state.ts";

export type ListedWorktree =
  | ({ readonly kind: "made"; readonly state: WorktreeState } & JudgedWorktree)
  /** It lies where kedge's worktrees lie, but kedge has no note of it, or its directory no longer exists. */
  | {
      readonly kind: "left";
      readonly directory: string;
      readonly why: string;
      /** A hook made it, and git knows nothing of it. */
      readonly hook?: HookWorktree;
      /** Somebody deleted its folder; git still has a note of it. */
      readonly isGone?: true;
    };

export type Listing =
  | { readonly ok: true; readonly worktrees: readonly ListedWorktree[] }
  | { readonly ok: false; readonly problem: string };

export async function listWorktrees(repository: Repository): Promise<Listing> {
  const listed = await repository.alone(() => runWorktreeGit(repository, ["worktree", "list", "--porcelain", "-z"]));
  const byHooks = hookWorktrees(repository.root).map(
    (hook): ListedWorktree => ({ kind: "left", directory: hook.directory, why: "created by a hook", hook }),
  );
  if (!listed.ok) return byHooks.length === 0 ? listed : { ok: true, worktrees: byHooks };
  const place = `${join(repository.root, worktreesFolder)}/`;
  const directories = listed.output
    .split("\0")
    .filter((line) => line.startsWith("worktree "))
    .map((line) => line.slice("worktree ".length))
    .filter((directory) => directory.startsWith(place));
  const worktrees = await Promise.all(directories.map((directory) => describe(repository, directory)));
  const all = [...byHooks, ...worktrees];
  return { ok: true, worktrees: all.sort((left, right) => createdAt(left) - createdAt(right)) };
}

function createdAt(tree: ListedWorktree): number {
  return tree.kind === "made" ? tree.record.createdAt : (tree.hook?.createdAt ?? 0);
}

/** By name, or by its folder. */
export function findWorktree(worktrees: readonly ListedWorktree[], name: string): ListedWorktree | undefined {
  return worktrees.find((tree) =>
    tree.kind === "made"
      ? tree.record.name === name || tree.directory === name
      : tree.hook?.name === name || tree.directory.endsWith(`/${name}`),
  );
}

async function describe(repository: Repository, directory: string): Promise<ListedWorktree> {
  const known = knownWorktree(directory);
  if (known === undefined && !existsSync(directory))
    return { kind: "left", directory, why: "its directory no longer exists", isGone: true };
  if (known === undefined) return { kind: "left", directory, why: "kedge's record of it is missing" };
  return { kind: "made", ...known, state: await judgeWorktree(repository, known) };
}

/** What kedge noted of the worktree that has its root here; undefined for every other folder. */
export function knownWorktree(directory: string): JudgedWorktree | undefined {
  const gitDirectory = gitDirectoryOf(directory);
  const record: WorktreeRecord | undefined = gitDirectory === undefined ? undefined : readWorktreeRecord(gitDirectory);
  return gitDirectory === undefined || record === undefined ? undefined : { directory, gitDirectory, record };
}

function gitDirectoryOf(directory: string): string | undefined {
  try {
    const target = /^gitdir: (.+)$/m.exec(readFileSync(join(directory, ".git"), "utf8"))?.[1];
    return target === undefined ? undefined : resolve(directory, target);
  } catch {
    // The folder is gone, or it is a repository of its own.
    return undefined;
  }
}
