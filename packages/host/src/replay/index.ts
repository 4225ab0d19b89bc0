/** Recorded sessions played again: checked, gone on from, and given to another model. */
export { type CheckParts, type CheckReport, checkSession } from "./check-session.ts";
export { resultOfSession, type SessionResult } from "./compare-rerun.ts";
export type { Divergence, DivergenceKind } from "./divergence.ts";
export { readRecord } from "./read-record.ts";
export { openRecordedTrees, type RecordedTrees } from "./recorded-trees.ts";
export { createReplayTools } from "./replay-tools.ts";
export { firstTree, makeWorktree, openSessionUntil, optionsAfter } from "./replay-worktree.ts";
