/** Removes a worktree in which nothing would be lost, with its branch; any doubt keeps both. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { WorktreeHooks } from "./hook-worktrees.ts";
import { type Repository, runGit } from "./worktree-git.ts";
import { isUnchangedCopy, type JudgedWorktree, judgeWorktree } from "./worktree-state.ts";

export type Removal =
  | { readonly ok: true }
  /** It stays, with its branch. */
  | { readonly ok: false; readonly reasons: readonly string[] };

export async function removeWorktree(
  repository: Repository,
  tree: JudgedWorktree,
  hooks?: WorktreeHooks,
): Promise<Removal> {
  const state = await judgeWorktree(repository, tree);
  if (state.kind === "unknown") return { ok: false, reasons: [state.problem] };
  if (state.kind === "dirty") return { ok: false, reasons: state.reasons };
  await hooks?.remove(tree.directory);
  return discardWorktree(repository, tree, "unchanged");
}

/** One whose folder somebody deleted: git forgets it, and its branch stays with what was committed. */
export async function forgetWorktree(repository: Repository, directory: string): Promise<Removal> {
  const removed = await runGit(repository, ["worktree", "remove", directory]);
  return removed.ok ? { ok: true } : { ok: false, reasons: [removed.problem] };
}

/**
 * `whatever` is for a person who was shown what is lost. Even then git is never forced where it was not asked: a locked
 * worktree stays.
 */
export async function discardWorktree(
  repository: Repository,
  { directory, record }: JudgedWorktree,
  what: "unchanged" | "whatever",
): Promise<Removal> {
  const tip = await runGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${record.branch}`]);
  // Copies that git does not ignore would be the only obstacle, and they are ours.
  for (const path of Object.keys(record.copied))
    if (isUnchangedCopy(directory, record, path)) rmSync(join(directory, path), { force: true });
  const force = what === "whatever" ? ["--force"] : [];
  const removed = await runGit(repository, ["worktree", "remove", ...force, directory]);
  if (!removed.ok) return { ok: false, reasons: [removed.problem] };
  if (!tip.ok) return { ok: true };
  // Only as it was looked at: a commit that arrived meanwhile keeps the branch.
  const deleted = await runGit(repository, ["update-ref", "-d", `refs/heads/${record.branch}`, tip.output.trim()]);
  return deleted.ok ? { ok: true } : { ok: false, reasons: [`the branch ${record.branch} stays: ${deleted.problem}`] };
}
