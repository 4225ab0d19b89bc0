/** A worktree in which an agent works instead of the checkout of its leader. */
import type { Answer, SessionProfile } from "@kedge/protocol";

/** Makes the worktree of an agent, or gives it back to one that is continued. */
export type OpenAgentWorktree = (agentId: string, leader: SessionProfile) => Promise<Answer<AgentWorktree>>;

export type AgentWorktree = {
  /** That of the leader, moved into the worktree. */
  readonly profile: SessionProfile;
  /** What the agent is told before its task. */
  readonly notice: string;
  /** After its end: a sentence for the leader where something is left there, nothing where it was removed. */
  leave(): Promise<string | undefined>;
};

/** Behind the result of the agent, where its leader reads it. */
export function withWorktreeNote(result: string, note: string | undefined): string {
  if (note === undefined) return result;
  return result === "" ? note : `${result}\n\n${note}`;
}
