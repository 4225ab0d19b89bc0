/** Ends agents whose process is gone: with what their own record says, so that each has one end and no result is lost. */
import {
  type AgentRecord,
  addUsage,
  boundResult,
  type Cost,
  emptySession,
  type Fact,
  type FactOf,
  noUsage,
  orphanedText,
  type SessionState,
  type Store,
  toolCalls,
  type Usage,
  verdictOnRun,
  workingAgents,
} from "@kedge/protocol";
import type { Journal } from "../journal.ts";
import { closingFacts } from "./closing-facts.ts";

export type LostAgentParts = {
  readonly store: Pick<Store, "read" | "session" | "fold" | "releaseLease">;
  readonly boot: string;
  readonly journalOf: (sessionId: string) => Journal;
  /** False where somebody else has the session. */
  readonly lease: (sessionId: string) => Promise<boolean>;
};

/**
 * To be stored in the session by whoever takes it up, before anything else happens there. The records of the agents are
 * closed first: if this is cut off as well, the next look finds the same ends in them.
 */
export async function endLostAgents(
  state: Readonly<SessionState>,
  parts: LostAgentParts,
): Promise<readonly FactOf<"agent.ended">[]> {
  const ends: FactOf<"agent.ended">[] = [];
  for (const agent of workingAgents(state)) ends.push(await endOf(agent, state.sessionId, parts));
  return ends;
}

async function endOf(agent: AgentRecord, parentId: string, parts: LostAgentParts): Promise<FactOf<"agent.ended">> {
  const { agentId } = agent;
  const nothing = { usage: noUsage, cost: { usd: 0, estimated: false }, turns: 0, durationMs: 0 };
  const never = "kedge ended before it could start.";
  const known = await parts.store.session(agentId);
  if (known === undefined) {
    return { type: "agent.ended", agentId, status: "orphaned", result: "", why: never, ...nothing };
  }
  await closeRecord(agentId, parts);
  const found = await readRecord(agent, parts);
  // An id in a record is no proof: only a session that names this one works for it.
  if (found.parentId !== parentId) {
    return { type: "agent.ended", agentId, status: "orphaned", result: "", why: never, ...nothing };
  }
  const { run, text, usage, cost, turns, durationMs } = found;
  const verdict = run === undefined ? ({ status: "orphaned", why: orphanedText } as const) : verdictOnRun(run);
  return {
    type: "agent.ended",
    agentId,
    ...verdict,
    ...boundResult(agentId, run?.text || text),
    ...(run?.structured !== undefined && { structured: run.structured }),
    ...{ usage, cost, turns, durationMs },
  };
}

/** Ends what is open in the record of the agent, and in those of the agents that worked for it. */
async function closeRecord(agentId: string, parts: LostAgentParts): Promise<void> {
  const state = emptySession(agentId);
  await parts.store.fold(state);
  const isOpen = state.runId !== undefined || workingAgents(state).length > 0;
  if (!isOpen || !(await parts.lease(agentId))) return;
  try {
    const journal = parts.journalOf(agentId);
    await parts.store.fold(journal.state);
    const facts: readonly Fact[] = [...(await endLostAgents(journal.state, parts)), ...closingFacts(journal.state)];
    if (facts.length > 0) await journal.emit(...facts);
  } finally {
    await parts.store.releaseLease(agentId, parts.boot);
  }
}

type FoundRecord = {
  readonly parentId: string | undefined;
  /** The last run since the agent was started. */
  readonly run: FactOf<"run.ended"> | undefined;
  /** What it said last. */
  readonly text: string;
  readonly usage: Usage;
  readonly cost: Cost;
  readonly turns: number;
  readonly durationMs: number;
};

async function readRecord({ agentId, afterSeq = 0 }: AgentRecord, { store }: LostAgentParts): Promise<FoundRecord> {
  let parentId: string | undefined;
  let run: FactOf<"run.ended"> | undefined;
  let text = "";
  let usage = noUsage;
  let cost: Cost = { usd: 0, estimated: false };
  let turns = 0;
  let firstTime: number | undefined;
  let lastTime = 0;
  for await (const { fact, seq, time } of store.read(agentId, 0)) {
    if (fact.type === "session.created" && fact.origin?.kind === "child") parentId = fact.origin.sessionId;
    if (seq <= afterSeq) continue;
    firstTime ??= time;
    lastTime = time;
    if (fact.type === "run.ended") run = fact;
    else if (fact.type === "prompt.admitted" || fact.type === "step.started") run = undefined;
    if (fact.type === "step.ended" || fact.type === "agent.ended") {
      usage = addUsage(usage, fact.usage);
      cost = { usd: cost.usd + fact.cost.usd, estimated: cost.estimated || fact.cost.estimated };
    }
    if (fact.type !== "step.ended") continue;
    turns += 1;
    const said = fact.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    if (said !== "" && toolCalls(fact.content).length === 0) text = said;
    else if (said !== "" && text === "") text = said;
  }
  return { parentId, run, text, usage, cost, turns, durationMs: lastTime - (firstTime ?? lastTime) };
}
