/** Git worktrees in which agents and sessions work beside the main checkout. */
export { type CreateParts, createWorktree, prepareWorktreesFolder } from "./create-worktree.ts";
export { hookWorktrees, removeByHook, type WorktreeHooks } from "./hook-worktrees.ts";
export { findWorktree, knownWorktree, type ListedWorktree, listWorktrees } from "./list-worktrees.ts";
export { discardWorktree, forgetWorktree, removeWorktree } from "./remove-worktree.ts";
export { type GitAnswer, type Repository, runGit, runWorktreeGit, zeroSeparated } from "./worktree-git.ts";
export { agentWorktreeName, worktreesFolder } from "./worktree-name.ts";
export type { WorktreeState } from "./worktree-state.ts";
