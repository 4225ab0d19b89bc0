/** Agents as they are listed for people: from the records of the sessions they work for, and from what runs here. */
import type { AgentRecord, AgentState, AgentSummary, SessionState } from "@kedge/protocol";
import { rootOf } from "./agent-names.ts";
import type { AgentSessions } from "./agent-sessions.ts";
import { totalOf } from "./round.ts";

type LastAction = (agentId: string) => string | undefined;

export async function listAgents(
  sessions: AgentSessions,
  rootId: string | undefined,
  lastAction: LastAction,
): Promise<readonly AgentSummary[]> {
  if (rootId !== undefined) {
    const root = await stateOf(rootId, sessions);
    return root === undefined ? [] : agentsOf(root, sessions, lastAction);
  }
  const tops = sessions.open().filter(({ state }) => state.origin?.kind !== "child");
  return (await Promise.all(tops.map(({ state }) => agentsOf(state, sessions, lastAction)))).flat();
}

export async function findAgent(
  sessions: AgentSessions,
  agentId: string,
  lastAction: LastAction,
): Promise<AgentSummary | undefined> {
  const state = await stateOf(agentId, sessions);
  if (state?.origin?.kind !== "child") return undefined;
  const parent = await stateOf(state.origin.sessionId, sessions);
  const record = parent?.agents.get(agentId);
  return record && parent && summaryOf(record, { parent, state, sessions, lastAction });
}

async function stateOf(sessionId: string, sessions: AgentSessions): Promise<Readonly<SessionState> | undefined> {
  return sessions.find(sessionId)?.state ?? (await sessions.stored(sessionId));
}

async function agentsOf(
  parent: Readonly<SessionState>,
  sessions: AgentSessions,
  lastAction: LastAction,
): Promise<readonly AgentSummary[]> {
  const lists: AgentSummary[][] = [];
  for (const record of parent.agents.values()) {
    const state = await stateOf(record.agentId, sessions);
    const below = state === undefined || state.agents.size === 0 ? [] : await agentsOf(state, sessions, lastAction);
    lists.push([summaryOf(record, { parent, state, sessions, lastAction }), ...below]);
  }
  return lists.flat();
}

type SummaryParts = {
  readonly parent: Readonly<SessionState>;
  /** Undefined for one that never began. */
  readonly state: Readonly<SessionState> | undefined;
  readonly sessions: AgentSessions;
  readonly lastAction: LastAction;
};

function summaryOf(record: AgentRecord, parts: SummaryParts): AgentSummary {
  const { agentId, agent, description, name, depth, startedAt, end, endedAt } = record;
  const { parent, state, sessions } = parts;
  const isOpen = sessions.find(agentId) !== undefined;
  const isLeaderOpen = sessions.find(parent.sessionId) !== undefined || sessions.isHeld?.(parent.sessionId) === true;
  const action = parts.lastAction(agentId);
  const total = totalOf(state);
  // Where nobody has its session open, nobody runs it: its end is stored when the session is opened again.
  const isLost = end === undefined && !isLeaderOpen;
  return {
    agentId,
    parentId: parent.sessionId,
    agent,
    description,
    ...(name !== undefined && { name }),
    state: isLost ? "aborted" : listedState(end?.status, isOpen),
    ...(end !== undefined && { status: end.status }),
    ...(isLost && { status: "orphaned" as const }),
    ...(end?.why !== undefined && { why: end.why }),
    isBackground: record.isBackground === true,
    depth,
    ...(state !== undefined && { model: state.model }),
    startedAt,
    durationMs: end?.durationMs ?? Math.max(0, (endedAt ?? sessions.now()) - startedAt),
    ...total,
    turns: state?.turns ?? end?.turns ?? 0,
    ...(action !== undefined && { lastAction: action }),
    ...(isOpen && isAsking(agentId, rootOf(parent, sessions)) && { isAsking: true }),
  };
}

/** Questions of agents wait in the session at the top. */
function isAsking(agentId: string, { permissionRequests }: Readonly<SessionState>): boolean {
  return [...permissionRequests.values()].some(({ agent }) => agent?.agentId === agentId);
}

function listedState(status: AgentSummary["status"], isOpen: boolean): AgentState {
  if (status === undefined) return "running";
  if (status !== "completed" && status !== "max_turns") return "aborted";
  return isOpen ? "idle" : "parked";
}
