/** Recorded sessions played again: checked, gone on from, and given to another model. */
export { type CheckParts, type CheckReport, checkSession } from "./check-session.ts";
export { resultOfSession, type SessionResult } from "./compare-rerun.ts";
export type { Divergence, DivergenceKind } from "./divergence.ts";
export { type ReadRecord, readRecord } from "./read-record.ts";
export { openRecordedTrees, type RecordedTrees } from "./recorded-trees.ts";
export { createReplayTools, type ReplayToolParts } from "./replay-tools.ts";
export {
  firstTree,
  makeWorktree,
  openSessionUntil,
  optionsAfter,
  type SessionUntil,
  type SessionUntilParts,
  type Worktree,
  type WorktreeParts,
} from "./replay-worktree.ts";
export type { CheckOut } from "./scratch-workspace.ts";
