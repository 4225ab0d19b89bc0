/** Whether a person should look before so many agents start: what they will probably cost, against what is left. */
import { workingAgents } from "@kedge/protocol";
import type { AgentSessions } from "../runs/agent-sessions.ts";
import type { AgentSettings } from "../settings.ts";

/** Agents that calls of this session are about to start, by call. */
export type Announced = Map<string, number>;

export type FanOutParts = {
  readonly sessions: Pick<AgentSessions, "find">;
  readonly settings: Pick<AgentSettings, "confirmUsd">;
  readonly sessionId: string;
  readonly announced: Announced;
};

/** So many at once need no estimate. */
const freeCount = 3;
/** An agent whose like never ran here probably costs so many turns of the session that starts it. */
const turnsOfAgent = 7;

export function cautionFor(
  { sessions, settings, sessionId, announced }: FanOutParts,
  callId: string,
  count: number,
): string | undefined {
  announced.set(callId, count);
  const state = sessions.find(sessionId)?.state;
  if (state === undefined) return undefined;
  const coming = [...announced.values()].reduce((sum, each) => sum + each, 0);
  const running = workingAgents(state).filter((agent) => !announced.has(agent.callId ?? "")).length;
  const all = coming + running;
  if (all <= freeCount) return undefined;
  const ended = [...state.agents.values()].flatMap(({ end }) => (end === undefined ? [] : [end.cost.usd]));
  const meanTurn = state.turns === 0 ? 0 : state.cost.usd / state.turns;
  const each = ended.length === 0 ? meanTurn * turnsOfAgent : ended.reduce((sum, usd) => sum + usd, 0) / ended.length;
  const estimate = each * all;
  if (estimate <= settings.confirmUsd) return undefined;
  const { usdMax } = state.budget ?? {};
  const left = usdMax === undefined ? "" : ` of $${Math.max(0, usdMax - state.cost.usd).toFixed(2)} left`;
  return `${all} agents at once will cost about $${estimate.toFixed(2)}${left}`;
}
