/** Worktrees for commands of the terminal. */
export {
  createWorktree,
  discardWorktree,
  findWorktree,
  forgetWorktree,
  knownWorktree,
  type ListedWorktree,
  listWorktrees,
  removeByHook,
  removeWorktree,
} from "@kedge/agents/worktrees";
export { commandWorktreeHooks } from "./command-worktree-hooks.ts";
export { openCheckout, openWorktrees } from "./open-worktrees.ts";
export { reasonsOf, worktreeData, worktreeLines } from "./worktree-words.ts";
