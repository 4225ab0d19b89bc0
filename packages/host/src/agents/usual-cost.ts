/** What an agent will probably cost: like others of its kind here and in this project, else by turns and prices. */
import type { AgentTable } from "@kedge/agents/definitions";
import type { AgentSessions } from "@kedge/agents/runs";
import { emptySession, type Models, type SessionState, type Store } from "@kedge/protocol";

export type UsualCostParts = {
  readonly store: Pick<Store, "sessions" | "fold">;
  readonly models: Pick<Models, "find" | "cost">;
  readonly sessions: Pick<AgentSessions, "find">;
  readonly table: () => Promise<AgentTable>;
  readonly modelFor: (wish: string | undefined, parentModel: string) => Promise<string>;
};

/** An agent whose like never ran here probably takes so many turns. */
const turnsOfAgent = 7;
/** Of an agent that searches and reads: most of its input comes from the cache. */
const usualTurn = { input: 2_000, output: 500, reasoning: 0, cacheRead: 8_000, cacheWrite: 0 };
/** The latest agents of a project are looked at, and no more of its sessions than these. */
const agentsMax = 10;
const foldsMax = 30;
const sessionsMax = 300;

export function createUsualCost(parts: UsualCostParts): (agent: string, sessionId: string) => Promise<number> {
  return async (agent, sessionId) => {
    const state = parts.sessions.find(sessionId)?.state;
    if (state === undefined) return 0;
    const ends = [...state.agents.values()].flatMap(({ agent: name, end }) =>
      end === undefined || end.cost.usd === 0 ? [] : [{ name, end }],
    );
    const own = ends.filter(({ name }) => name === agent);
    const meanOf = (of: typeof ends) => mean(of.map(({ end }) => end.cost.usd));
    return (
      meanOf(own) ?? (await inProject(agent, state, parts)) ?? meanOf(ends) ?? (await byTurns(agent, state, parts)) ?? 0
    );
  };
}

async function inProject(
  agent: string,
  { projectId, agents }: Readonly<SessionState>,
  { store }: UsualCostParts,
): Promise<number | undefined> {
  const latest = await store.sessions({ projectId, limit: sessionsMax });
  const children = latest.filter(({ sessionId, parentId }) => parentId !== undefined && !agents.has(sessionId));
  const costs: number[] = [];
  for (const { sessionId } of children.slice(0, foldsMax)) {
    if (costs.length === agentsMax) break;
    const state = emptySession(sessionId);
    await store.fold(state);
    const { origin, cost, agentsUse } = state;
    const usd = cost.usd + agentsUse.cost.usd;
    if (origin?.kind === "child" && origin.agent === agent && usd > 0) costs.push(usd);
  }
  return mean(costs);
}

/** By the turns of the session so far; its first one may still be arriving, and is taken to be usual then. */
async function byTurns(
  agent: string,
  { turns, step, cost, model }: Readonly<SessionState>,
  { models, modelFor, table }: UsualCostParts,
): Promise<number | undefined> {
  const paid = turns - (step?.answered === false ? 1 : 0);
  if (paid > 0 && cost.usd > 0) return (cost.usd / paid) * turnsOfAgent;
  const found = await models.find(await modelFor((await table()).find(agent)?.model, model));
  if (!found.ok || found.model.prices === undefined) return undefined;
  return models.cost(found.model, usualTurn).usd * turnsOfAgent;
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
