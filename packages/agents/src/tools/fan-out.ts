/** Whether a person should look before so many agents start: what they will probably cost, against what is left. */
import { workingAgents } from "@kedge/protocol";
import type { AgentSessions } from "../runs/agent-sessions.ts";
import type { AgentSettings } from "../settings.ts";
import type { AgentDesk } from "./agent-desk.ts";

/** Agents that calls of one step are about to start. Those of an earlier step work by now, or never will. */
export type Announced = {
  stepId: string | undefined;
  readonly calls: Map<string, FanOutCall["agents"]>;
};

export type FanOutCall = {
  readonly callId: string;
  /** The name of the definition of each. */
  readonly agents: readonly string[];
};

export type FanOutParts = Pick<AgentDesk, "usualUsd"> & {
  readonly sessions: Pick<AgentSessions, "find">;
  readonly settings: Pick<AgentSettings, "confirmUsd">;
  readonly sessionId: string;
  readonly announced: Announced;
};

/** So many at once need no estimate. */
const freeCount = 3;

export async function cautionFor(
  { sessions, settings, sessionId, announced, usualUsd }: FanOutParts,
  { callId, agents }: FanOutCall,
): Promise<string | undefined> {
  const state = sessions.find(sessionId)?.state;
  if (state === undefined) return undefined;
  const { calls } = announced;
  if (announced.stepId !== state.step?.stepId) calls.clear();
  announced.stepId = state.step?.stepId;
  calls.set(callId, agents);
  const running = workingAgents(state).filter((agent) => !calls.has(agent.callId ?? ""));
  const all = [...[...calls.values()].flat(), ...running.map(({ agent }) => agent)];
  if (all.length <= freeCount) return undefined;
  const kinds = Object.entries(Object.groupBy(all, (agent) => agent));
  const costs = kinds.map(async ([agent, same = []]) => (await usualUsd(agent, sessionId)) * same.length);
  const estimate = (await Promise.all(costs)).reduce((sum, usd) => sum + usd, 0);
  if (estimate <= settings.confirmUsd) return undefined;
  const { usdMax } = state.budget ?? {};
  const left =
    usdMax === undefined
      ? ""
      : ` of $${Math.max(0, usdMax - state.cost.usd - state.agentsUse.cost.usd).toFixed(2)} left`;
  return `${all.length} agents at once will cost about $${estimate.toFixed(2)}${left}`;
}
