/** The workers of a team and where their work lies, for whoever brings it together. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentWorktreeName, knownWorktree, worktreesFolder } from "../worktrees/index.ts";
import type { MemberState, TeamFile } from "./team-file.ts";

export type TeamWorker = {
  readonly name: string;
  readonly agentId: string;
  readonly state: MemberState;
  /** Absent for one that works in the checkout of the leader, and for one that left nothing behind. */
  readonly worktree?: string;
  readonly branch?: string;
};

export function teamWorkers({ root, members }: Pick<TeamFile, "root" | "members">): readonly TeamWorker[] {
  return members.map(({ name, agentId, state, isIsolated }) => {
    const worktree = join(root, worktreesFolder, agentWorktreeName(agentId));
    if (isIsolated !== true || !existsSync(worktree)) return { name, agentId, state };
    const branch = knownWorktree(worktree)?.record.branch;
    return { name, agentId, state, worktree, ...(branch !== undefined && { branch }) };
  });
}
