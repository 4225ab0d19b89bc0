/** Removes a worktree in which nothing would be lost, with its branch; any doubt keeps both. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { WorktreeHooks } from "./hook-worktrees.ts";
import { type Repository, runGit, runWorktreeGit } from "./worktree-git.ts";
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
  if (hooks !== undefined) {
    const kept = await reasonsToKeep(repository, tree);
    if (kept !== undefined) return kept;
    // A hook takes its time, and may look at worktrees itself.
    await hooks.remove(tree.directory);
  }
  // Alone, or two branches that share a commit would each be deleted because the other has it.
  return repository.alone(async () => {
    const tip = await tipOf(repository, tree);
    return (await reasonsToKeep(repository, tree)) ?? discard(repository, tree, { tip });
  });
}

async function reasonsToKeep(repository: Repository, tree: JudgedWorktree): Promise<Removal | undefined> {
  const state = await judgeWorktree(repository, tree);
  if (state.kind === "clean") return undefined;
  return { ok: false, reasons: state.kind === "dirty" ? state.reasons : [state.problem] };
}

/** One whose folder somebody deleted: git forgets it, and its branch stays with what was committed. */
export async function forgetWorktree(repository: Repository, directory: string): Promise<Removal> {
  const removed = await repository.alone(() => runWorktreeGit(repository, ["worktree", "remove", directory]));
  return removed.ok ? { ok: true } : { ok: false, reasons: [removed.problem] };
}

/**
 * For a person who was shown what is lost, and for places of kedge's own. Even then git is never forced where it was not
 * asked: a locked worktree stays.
 */
export async function discardWorktree(repository: Repository, tree: JudgedWorktree): Promise<Removal> {
  return repository.alone(async () =>
    discard(repository, tree, { tip: await tipOf(repository, tree), options: ["--force"] }),
  );
}

type Discarding = {
  /** Its branch as it was looked at: a commit that arrived meanwhile keeps the branch. */
  readonly tip: string | undefined;
  readonly options?: readonly string[];
};

async function discard(
  repository: Repository,
  { directory, record }: JudgedWorktree,
  { tip, options = [] }: Discarding,
): Promise<Removal> {
  // Copies that git does not ignore would be the only obstacle, and they are ours.
  for (const path of Object.keys(record.copied))
    if (isUnchangedCopy(directory, record, path)) rmSync(join(directory, path), { force: true });
  const removed = await runWorktreeGit(repository, ["worktree", "remove", ...options, directory]);
  if (!removed.ok) return { ok: false, reasons: [removed.problem] };
  if (tip === undefined) return { ok: true };
  const deleted = await runGit(repository, ["update-ref", "-d", `refs/heads/${record.branch}`, tip]);
  return deleted.ok
    ? { ok: true }
    : { ok: false, reasons: [`the branch ${record.branch} was kept: ${deleted.problem}`] };
}

/** Undefined where somebody renamed or deleted it. */
async function tipOf(repository: Repository, { record }: JudgedWorktree): Promise<string | undefined> {
  const tip = await runGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${record.branch}`]);
  return tip.ok ? tip.output.trim() : undefined;
}
