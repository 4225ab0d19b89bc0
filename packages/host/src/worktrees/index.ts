/** Worktrees for commands of the terminal. */
export {
  createWorktree,
  discardWorktree,
  findWorktree,
  knownWorktree,
  type ListedWorktree,
  listWorktrees,
  removeWorktree,
} from "@kedge/agents/worktrees";
export { openWorktrees } from "./open-worktrees.ts";
export { reasonsOf, worktreeData, worktreeLines } from "./worktree-words.ts";
