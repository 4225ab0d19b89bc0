/** Starts an agent: refused before anything is stored, or recorded in its parent before it works. */
import type {
  AgentEnd,
  AgentOrder,
  AgentParent,
  AgentRecord,
  Answer,
  FactOf,
  RequestPrefix,
  RunOptions,
  SessionProfile,
  SessionState,
  StartedAgent,
} from "@kedge/protocol";
import { refused } from "@kedge/protocol";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import type { AgentTable } from "../definitions/agent-table.ts";
import { forkOf, forkProfile } from "../forks/fork-profile.ts";
import { forkPrompt } from "../forks/fork-prompt.ts";
import { type AgentNames, rootOf } from "./agent-names.ts";
import type { AgentRounds } from "./agent-rounds.ts";
import { type AgentRunsParts, depthMax, type OpenAgentSession } from "./agent-sessions.ts";
import { childProfile } from "./child-profile.ts";
import type { Places } from "./places.ts";

export type StartParts = AgentRunsParts & {
  readonly rounds: AgentRounds;
  readonly places: Places;
  readonly names: AgentNames;
};

export async function startAgent(
  parts: StartParts,
  order: AgentOrder,
  parent: AgentParent,
  signal: AbortSignal,
): Promise<Answer<StartedAgent>> {
  const { sessions, places } = parts;
  const leader = sessions.find(parent.sessionId);
  if (leader === undefined) return refused(`Session ${parent.sessionId} is not open.`);
  const known = order.key === undefined ? undefined : storedEnd(leader, order.key);
  if (known !== undefined) return { ok: true, value: { agentId: known.agentId, ended: Promise.resolve(known) } };
  const checked = checkOrder(order, leader, await parts.table(), {
    maxDepth: parts.settings.maxDepth,
    canIsolate: parts.openWorktree !== undefined,
    ruleAgainst: parts.ruleAgainst,
  });
  if (!checked.ok) return checked;
  // Before anything else happens: what the session does meanwhile is not in it.
  const prefix = order.isFork ? await leader.prefix() : undefined;
  if (prefix?.ok === false) return prefix;
  const leavePlace = order.resident === undefined ? await places.take(parent.sessionId, signal) : () => undefined;
  if (leavePlace === undefined) return refused("It was canceled before it started.");
  try {
    return await startInPlace(parts, { order, parent, signal, leader, leavePlace, prefix, definition: checked.value });
  } catch (error) {
    // What could not be stored keeps no place: others wait for it.
    leavePlace();
    throw error;
  }
}

type Wanted = {
  readonly order: AgentOrder;
  readonly parent: AgentParent;
  readonly signal: AbortSignal;
  readonly leader: OpenAgentSession;
  readonly leavePlace: () => void;
  readonly prefix: { readonly value: RequestPrefix } | undefined;
  readonly definition: AgentDefinition;
};

async function startInPlace(
  parts: StartParts,
  { order, parent, signal, leader, leavePlace, prefix, definition: found }: Wanted,
): Promise<Answer<StartedAgent>> {
  const { sessions, rounds } = parts;
  const agentId = sessions.newId();
  const openPlace = order.place ?? (isIsolated(order, found) ? parts.openWorktree : undefined);
  const worktree = await openPlace?.(agentId, leader.profile);
  if (worktree?.ok === false) {
    leavePlace();
    return worktree;
  }
  const definition = prefix === undefined ? found : forkOf(found);
  const rootId = rootOf(leader.state, sessions).sessionId;
  const started = startOf(order, parent, { agentId, definition, leader, parts });
  const options = optionsOf(definition, order.outputSchema);
  const begin = async () => {
    const model = prefix?.value.model ?? (await parts.modelFor(order.model ?? definition.model, leader.state.model));
    const narrowed =
      prefix === undefined
        ? await profileFor(parts, definition, worktree?.value.profile ?? profileAbove(order, leader, parts), started)
        : forkProfile(worktree?.value.profile ?? leader.profile, prefix.value, started);
    const profile = order.resident?.outfit(narrowed, agentId) ?? narrowed;
    // Paths of the leader mean other files in a worktree.
    const knownFiles = worktree === undefined ? leader.knownFiles() : [];
    const opened = await sessions.create({ agentId, parent, model }, { ...profile, knownFiles });
    if (!opened.ok) return opened.failure.message;
    await parts.onRound(definition, agentId);
    const task = worktree === undefined ? order.prompt : `${worktree.value.notice}\n\n${order.prompt}`;
    const text = prefix === undefined ? task : forkPrompt(task);
    const sent = await sessions.submit(agentId, text, options);
    return sent.ok ? undefined : sent.failure.message;
  };
  const made = await rounds
    .alone(agentId, () =>
      rounds.begin(leader, started, {
        ...{ options, leavePlace, begin, isResident: order.resident !== undefined },
        ...(worktree && { worktree: worktree.value }),
      }),
    )
    .finally(() => started.name !== undefined && parts.names.release(rootId, started.name));
  if (made.ok) cancelWith(signal, made.value.ended, () => rounds.running(agentId)?.cancel("cancelled"));
  return made;
}

type OrderLimits = Pick<AgentRunsParts, "ruleAgainst"> & { readonly maxDepth: number; readonly canIsolate: boolean };

/** The definition by which an agent may be started here, or why not. */
function checkOrder(
  order: AgentOrder,
  leader: OpenAgentSession,
  table: AgentTable,
  { maxDepth, canIsolate, ruleAgainst }: OrderLimits,
): Answer<AgentDefinition> {
  const definition = table.find(order.agent);
  if (definition === undefined || definition.mode === "primary" || (definition.isHidden && !order.isOwn))
    return refused(table.unknown(order.agent));
  if (order.isOwn) return { ok: true, value: definition };
  // A call of the tool was judged before; workflows, skills and programs start agents without one.
  const rule = order.isFork ? undefined : ruleAgainst(leader, definition.name);
  if (rule !== undefined) return refused(rule);
  if (isIsolated(order, definition) && !canIsolate)
    return refused("Agents cannot work in worktrees here.", "Start the agent without isolation.");
  const depth = depthOf(leader.state) + 1;
  const starts = leader.profile.agent === undefined ? undefined : table.find(leader.profile.agent.name)?.starts;
  const isNamed = starts?.includes(definition.name) === true;
  if (starts !== undefined && !isNamed) return refused(`This agent may only start: ${starts.join(", ")}.`);
  if (depth > depthMax || (depth > maxDepth && !isNamed))
    return refused("Agents at this depth cannot start other agents.", "Do the work here.");
  return { ok: true, value: definition };
}

function isIsolated(order: Pick<AgentOrder, "isolation">, definition: Pick<AgentDefinition, "isolation">): boolean {
  return order.isolation !== undefined || definition.isolation !== undefined;
}

type Starting = {
  readonly agentId: string;
  readonly definition: AgentDefinition;
  readonly leader: OpenAgentSession;
  readonly parts: StartParts;
};

function startOf(
  { description, name, key, isBackground, isOwn, isQuiet }: AgentOrder,
  { callId }: AgentParent,
  { agentId, definition, leader, parts }: Starting,
): FactOf<"agent.started"> {
  const own = name === undefined ? undefined : parts.names.take(name, rootOf(leader.state, parts.sessions));
  return {
    type: "agent.started",
    ...{ agentId, agent: definition.name, description, depth: depthOf(leader.state) + 1 },
    ...(callId !== undefined && { callId }),
    ...(own !== undefined && { name: own }),
    ...(key !== undefined && { key }),
    ...(isBackground && { isBackground }),
    ...((isOwn || isQuiet) && { isQuiet: true }),
  };
}

/** What works for kedge itself sets off no hook, and asks nobody. */
function profileAbove({ isOwn }: AgentOrder, { profile }: OpenAgentSession, parts: StartParts): SessionProfile {
  return isOwn ? { ...parts.withoutHooks(profile), interactive: false } : profile;
}

export async function profileFor(
  { settings, newSources }: AgentRunsParts,
  definition: AgentDefinition,
  above: SessionProfile,
  { agentId, depth, name, isBackground }: Pick<AgentRecord, "agentId" | "depth" | "name" | "isBackground">,
): Promise<SessionProfile> {
  return childProfile(above, {
    definition,
    depth,
    calledName: name,
    isBackground: isBackground === true,
    mayStartAgents: definition.starts !== undefined || depth < Math.min(settings.maxDepth, depthMax),
    sources: await newSources(definition, agentId),
    softRequestBudget: settings.softRequestBudget,
  });
}

export function optionsOf(
  { maxTurns, effort, outputSchema }: AgentDefinition,
  wished?: RunOptions["answerSchema"],
): RunOptions {
  const answerSchema = wished ?? outputSchema;
  return {
    stepsMax: maxTurns,
    ...(answerSchema !== undefined && { answerSchema }),
    ...(effort !== undefined && { reasoning: { effort } }),
  };
}

function cancelWith(signal: AbortSignal, ended: Promise<AgentEnd>, cancel: () => void): void {
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  void ended.then(() => signal.removeEventListener("abort", cancel));
}

/** How many sessions are above it. */
function depthOf({ origin }: Pick<SessionState, "origin">): number {
  return origin?.kind === "child" ? (origin.depth ?? 1) : 0;
}

/** What ended by itself need not run again. */
function storedEnd({ state }: OpenAgentSession, key: string): AgentEnd | undefined {
  const { end } = [...state.agents.values()].findLast((agent) => agent.key === key) ?? {};
  return end?.status === "completed" || end?.status === "max_turns" ? end : undefined;
}
