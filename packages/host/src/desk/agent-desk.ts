/** Agents for clients: listed, started, written to and ended. */
import {
  type AgentRuns,
  type Answer,
  type CommandAnswer,
  type CommandOf,
  notFound,
  type QueryAnswer,
  type QueryOf,
  refused,
} from "@kedge/protocol";
import type { OpenedAgents } from "../agents/open-agents.ts";

export type AgentDeskParts = { readonly agents: OpenedAgents | undefined };

async function runsOf({ agents }: AgentDeskParts): Promise<Answer<AgentRuns>> {
  return agents === undefined
    ? refused("Agents are turned off.", "Set agents.enabled to true.")
    : { ok: true, value: await agents.runs() };
}

export async function listAgents(
  parts: AgentDeskParts,
  { sessionId }: QueryOf<"agent.list">,
): Promise<QueryAnswer<"agent.list">> {
  if (sessionId !== undefined && parts.agents?.isAlone(sessionId)) return { ok: true, value: { agents: [] } };
  const runs = await runsOf(parts);
  if (!runs.ok) return runs;
  const isKnown = sessionId === undefined || (await parts.agents?.hasSession(sessionId)) === true;
  return isKnown ? { ok: true, value: { agents: await runs.value.list(sessionId) } } : notFound("session", sessionId);
}

export async function readAgent(
  parts: AgentDeskParts,
  { agentId }: QueryOf<"agent.read">,
): Promise<QueryAnswer<"agent.read">> {
  const runs = await runsOf(parts);
  if (!runs.ok) return runs;
  const agent = await runs.value.find(agentId);
  if (agent === undefined || parts.agents === undefined) return notFound("agent", agentId);
  return { ok: true, value: { agent, result: await parts.agents.resultOf(agentId) } };
}

export async function listAgentDefinitions({ agents }: AgentDeskParts): Promise<QueryAnswer<"agent.definitions">> {
  if (agents === undefined) return { ok: true, value: { definitions: [] } };
  const { listAgentDefinitions: listed } = await import("../agents/list-agents.ts");
  return { ok: true, value: { definitions: listed(await agents.table(), await agents.unknownModels()) } };
}

export async function startAgent(
  parts: AgentDeskParts,
  { sessionId, type: _, ...order }: CommandOf<"agent.start">,
): Promise<CommandAnswer<"agent.start">> {
  const runs = await runsOf(parts);
  if (!runs.ok) return runs;
  const { signal } = new AbortController();
  const started = await runs.value.start({ ...order, isBackground: true }, { sessionId }, signal);
  return started.ok ? { ok: true, value: { agentId: started.value.agentId } } : started;
}

export async function messageAgent(
  parts: AgentDeskParts,
  { agentId, text }: CommandOf<"agent.message">,
): Promise<CommandAnswer<"agent.message">> {
  const runs = await runsOf(parts);
  return runs.ok ? runs.value.message(agentId, text, { kind: "user" }) : runs;
}

export async function interruptAgent(
  parts: AgentDeskParts,
  { agentId }: CommandOf<"agent.interrupt">,
): Promise<CommandAnswer<"agent.interrupt">> {
  const runs = await runsOf(parts);
  return runs.ok ? runs.value.interrupt(agentId) : runs;
}

export async function killAgent(
  parts: AgentDeskParts,
  { agentId }: CommandOf<"agent.kill">,
): Promise<CommandAnswer<"agent.kill">> {
  const runs = await runsOf(parts);
  return runs.ok ? runs.value.kill(agentId) : runs;
}

export async function reviveAgent(
  parts: AgentDeskParts,
  { agentId, text }: CommandOf<"agent.revive">,
): Promise<CommandAnswer<"agent.revive">> {
  const runs = await runsOf(parts);
  if (!runs.ok) return runs;
  const revived = await runs.value.revive(agentId, text);
  return revived.ok ? { ok: true, value: {} } : revived;
}
