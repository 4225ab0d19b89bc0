/** The part of the fold that knows agents: which work for the session, how they ended, and what the model was told of it. */
import { addUsage } from "../content.ts";
import type { FactOf } from "./facts.ts";
import type { AgentRecord, SessionState } from "./session-state.ts";

/** The source of context that tells ends nobody waited for. The fold knows by it what was told. */
export const agentEndsSource = "agents";
/** The one that tells messages of other agents. */
export const mailSource = "mail";

export function applyToAgents(
  state: SessionState,
  fact: FactOf<"agent.started" | "agent.ended" | "mail.received">,
  time: number,
): void {
  if (fact.type === "agent.started") startAgent(state, fact, time);
  else if (fact.type === "agent.ended") endAgent(state, fact, time);
  else state.mail.set(fact.messageId, { ...fact, receivedAt: time });
}

function startAgent(state: SessionState, fact: FactOf<"agent.started">, time: number): void {
  const { type: _, isRevived: __, ...started } = fact;
  const round = (state.agents.get(fact.agentId)?.round ?? 0) + 1;
  state.agents.set(fact.agentId, { ...started, round, startedAt: time });
}

/** Only the first end of a start counts. */
function endAgent(state: SessionState, fact: FactOf<"agent.ended">, time: number): void {
  const agent = state.agents.get(fact.agentId);
  if (agent === undefined || agent.end !== undefined) return;
  const { type: _, ...end } = fact;
  const ended = { ...agent, end, endedAt: time };
  if (agent.isQuiet) tell(state, ended);
  else state.agents.set(fact.agentId, ended);
  const { usage, cost } = state.agentsUse;
  state.agentsUse = {
    usage: addUsage(usage, end.usage),
    cost: { usd: cost.usd + end.cost.usd, estimated: cost.estimated || end.cost.estimated },
  };
}

/** A call that ended by itself told the model how its agents ended. */
export function tellAgentsByCall(state: SessionState, { callId, outcome }: FactOf<"tool.ended">): void {
  if (outcome !== "completed" && outcome !== "failed") return;
  for (const agent of state.agents.values()) {
    if (agent.callId === callId && agent.isBackground !== true && agent.end !== undefined) tell(state, agent);
  }
}

/** The step that carries a text is the fact that it was told: both are stored, or neither. */
export function tellByStep(state: SessionState, { sent = [] }: FactOf<"step.started">): void {
  for (const { source, origin, hash } of sent) {
    if (source === mailSource) state.mail.delete(origin);
    if (source !== agentEndsSource) continue;
    const agent = state.agents.get(origin);
    if (agent?.end !== undefined && versionOfEnd(agent) === hash) tell(state, agent);
  }
}

/** Names the text that tells this end. */
export function versionOfEnd({ round }: Pick<AgentRecord, "round">): string {
  return `end ${round}`;
}

/** Long texts are let go; an order with a key may be given again and then needs them. */
function tell(state: SessionState, agent: AgentRecord): void {
  const end = agent.end && agent.key === undefined ? { ...agent.end, result: "" } : agent.end;
  state.agents.set(agent.agentId, { ...agent, ...(end !== undefined && { end }), isTold: true });
}
