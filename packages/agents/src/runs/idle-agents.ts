/** Agents that have finished and are still in memory, because somebody may speak to them again: for a while. */
import type { AgentRunsParts } from "./agent-sessions.ts";

export type IdleAgents = {
  readonly keep: (agentId: string, park: () => void) => void;
  readonly stop: (agentId: string) => void;
  readonly stopAll: () => void;
};

export function createIdleAgents({
  startTimer,
  settings,
}: Pick<AgentRunsParts, "startTimer" | "settings">): IdleAgents {
  /** Ends the wait of each. */
  const waits = new Map<string, () => void>();
  const stop = (agentId: string) => {
    waits.get(agentId)?.();
    waits.delete(agentId);
  };
  return {
    keep: (agentId, park) => waits.set(agentId, startTimer(park, settings.idleTtlMs)),
    stop,
    stopAll() {
      for (const agentId of [...waits.keys()]) stop(agentId);
    },
  };
}
