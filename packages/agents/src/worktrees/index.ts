/** Git worktrees in which agents and sessions work beside the main checkout. */
export {
  type CreatedWorktree,
  type CreateParts,
  createWorktree,
  prepareWorktreesFolder,
} from "./create-worktree.ts";
export { type HookWorktree, hookWorktrees, removeByHook, type WorktreeHooks } from "./hook-worktrees.ts";
export { findWorktree, knownWorktree, type ListedWorktree, type Listing, listWorktrees } from "./list-worktrees.ts";
export { discardWorktree, forgetWorktree, type Removal, removeWorktree } from "./remove-worktree.ts";
export { type GitAnswer, type Repository, runGit, runWorktreeGit, zeroSeparated } from "./worktree-git.ts";
export { agentWorktreeName, checkWorktreeName, worktreesFolder } from "./worktree-name.ts";
export { type JudgedWorktree, judgeWorktree, type WorktreeState } from "./worktree-state.ts";
