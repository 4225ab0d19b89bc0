/** Agents as they are listed for people: from the records of the sessions they work for, and from what runs here. */
import type { AgentColor, AgentRecord, AgentState, AgentSummary, SessionState } from "@kedge/protocol";
import { rootOf } from "./agent-names.ts";
import type { AgentSessions } from "./agent-sessions.ts";
import { totalOf } from "./round.ts";

type LastAction = (agentId: string) => string | undefined;

/** What a list needs of the session of an agent. */
type ListedSession = Pick<
  SessionState,
  "sessionId" | "agents" | "usage" | "cost" | "agentsUse" | "turns" | "model" | "runId"
>;

/** Sessions that are not open, so that a list that is asked for every second reads each of them once. */
export type ParkedSessions = Map<string, { readonly round: number; readonly listed: ListedSession }>;

/** The colour of a definition, by its name. */
type ColorOf = (agent: string) => AgentColor | undefined;

type ListParts = {
  readonly sessions: AgentSessions;
  readonly lastAction: LastAction;
  readonly colorOf: ColorOf;
  readonly parked: ParkedSessions;
};

export async function listAgents(parts: ListParts, rootId: string | undefined): Promise<readonly AgentSummary[]> {
  const { sessions } = parts;
  if (rootId !== undefined) {
    const root = await stateOf(rootId, sessions);
    return root === undefined ? [] : agentsOf(root, parts);
  }
  const tops = sessions.open().filter(({ state }) => state.origin?.kind !== "child");
  return (await Promise.all(tops.map(({ state }) => agentsOf(state, parts)))).flat();
}

export async function findAgent(
  { sessions, lastAction, colorOf }: Omit<ListParts, "parked">,
  agentId: string,
): Promise<AgentSummary | undefined> {
  const state = await stateOf(agentId, sessions);
  if (state?.origin?.kind !== "child") return undefined;
  const parent = await stateOf(state.origin.sessionId, sessions);
  const record = parent?.agents.get(agentId);
  return record && parent && summaryOf(record, { parent, state, sessions, lastAction, colorOf });
}

async function stateOf(sessionId: string, sessions: AgentSessions): Promise<Readonly<SessionState> | undefined> {
  return sessions.find(sessionId)?.state ?? (await sessions.stored(sessionId));
}

async function agentsOf(parent: ListedSession, parts: ListParts): Promise<readonly AgentSummary[]> {
  const lists: AgentSummary[][] = [];
  for (const record of parent.agents.values()) {
    const state = await listedOf(record, parts);
    const below = state === undefined || state.agents.size === 0 ? [] : await agentsOf(state, parts);
    lists.push([summaryOf(record, { ...parts, parent, state }), ...below]);
  }
  return lists.flat();
}

/** One that has ended and is not open cannot change before its next round. */
async function listedOf(
  { agentId, round, end }: AgentRecord,
  { sessions, parked }: ListParts,
): Promise<ListedSession | undefined> {
  const open = sessions.find(agentId)?.state;
  if (open !== undefined) return open;
  const known = parked.get(agentId);
  if (known?.round === round) return known.listed;
  const stored = await sessions.stored(agentId);
  if (stored === undefined) return undefined;
  const { sessionId, agents, usage, cost, agentsUse, turns, model, runId } = stored;
  const listed = { sessionId, agents, usage, cost, agentsUse, turns, model, runId };
  if (end !== undefined) parked.set(agentId, { round, listed });
  return listed;
}

type SummaryParts = Omit<ListParts, "parked"> & {
  readonly parent: ListedSession;
  /** Undefined for one that never began. */
  readonly state: ListedSession | undefined;
};

function summaryOf(record: AgentRecord, parts: SummaryParts): AgentSummary {
  const { agentId, agent, description, name, depth, startedAt, end, endedAt } = record;
  const { parent, state, sessions } = parts;
  const isOpen = sessions.find(agentId) !== undefined;
  const isLeaderOpen = sessions.find(parent.sessionId) !== undefined || sessions.isHeld?.(parent.sessionId) === true;
  const action = parts.lastAction(agentId);
  const color = parts.colorOf(agent);
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
    ...(color !== undefined && { color }),
    ...(end === undefined && isAsking(agentId, parent.sessionId, sessions) && { isAsking: true }),
    ...(end === undefined &&
      !isLost &&
      state !== undefined &&
      state.turns > 0 &&
      state.runId === undefined && { isResting: true }),
  };
}

/** Questions of agents wait in the session at the top. */
function isAsking(agentId: string, parentId: string, sessions: AgentSessions): boolean {
  const parent = sessions.find(parentId)?.state;
  if (parent === undefined) return false;
  const { permissionRequests } = rootOf(parent, sessions);
  return [...permissionRequests.values()].some(({ agent }) => agent?.agentId === agentId);
}

function listedState(status: AgentSummary["status"], isOpen: boolean): AgentState {
  if (status === undefined) return "running";
  if (status !== "completed" && status !== "max_turns") return "aborted";
  return isOpen ? "idle" : "parked";
}
