/** What the agents of a session cost, one row for each, in the order in which they started. */
import type { Cost, Fact } from "@kedge/protocol";

export type AgentCost = {
  readonly agentId: string;
  readonly agent: string;
  readonly description: string;
  readonly name?: string;
  readonly turns: number;
  /** With the agents that worked for it. */
  readonly cost: Cost;
};

export function createAgentCosts(): { add(fact: Fact): void; rows(): readonly AgentCost[] } {
  const byId = new Map<string, AgentCost>();
  return {
    add(fact) {
      if (fact.type === "agent.started" && !byId.has(fact.agentId)) {
        const { agentId, agent, description, name } = fact;
        const cost = { usd: 0, estimated: false };
        byId.set(agentId, { agentId, agent, description, ...(name !== undefined && { name }), turns: 0, cost });
      }
      if (fact.type !== "agent.ended") return;
      const known = byId.get(fact.agentId);
      if (known === undefined) return;
      const { usd, estimated } = known.cost;
      const cost = { usd: usd + fact.cost.usd, estimated: estimated || fact.cost.estimated };
      byId.set(fact.agentId, { ...known, turns: known.turns + fact.turns, cost });
    },
    rows: () => [...byId.values()],
  };
}
