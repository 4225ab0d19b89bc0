/** A worktree in which an agent works instead of the checkout of its leader. */
import type { AgentPlace, OpenAgentPlace } from "@kedge/protocol";

/** Makes the worktree of an agent, or gives it back to one that is continued. */
export type OpenAgentWorktree = OpenAgentPlace;

export type AgentWorktree = AgentPlace;

/** Behind the result of the agent, where its leader reads it. */
export function withWorktreeNote(result: string, note: string | undefined): string {
  if (note === undefined) return result;
  return result === "" ? note : `${result}\n\n${note}`;
}
