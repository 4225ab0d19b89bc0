/** Runs agents: starts them, ends each exactly once, and passes on what is said to them. */
import {
  type AgentEnd,
  type AgentOrder,
  type AgentParent,
  type AgentRecord,
  type AgentRuns,
  type Answer,
  type FactOf,
  FailureError,
  type RunOptions,
  refused,
  type SessionState,
  type StartedAgent,
} from "@kedge/protocol";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import { forkName, forkOf, forkProfile } from "../forks/fork-profile.ts";
import { forkPrompt } from "../forks/fork-prompt.ts";
import { findAgent, listAgents } from "./agent-list.ts";
import { rootOf, uniqueName } from "./agent-names.ts";
import { type AgentRunsParts, depthMax, type OpenAgentSession } from "./agent-sessions.ts";
import { childProfile } from "./child-profile.ts";
import { createPlaces } from "./places.ts";
import { type Round, startRound } from "./round.ts";
import { createTurns } from "./turns.ts";

type Live = { readonly parentId: string; readonly round: Round; readonly leavePlace: () => void };

const reviveText = "Continue your task from where you stopped.";

export function createAgentRuns(parts: AgentRunsParts): AgentRuns {
  const { sessions, settings } = parts;
  const places = createPlaces(settings.maxParallel);
  const turns = createTurns();
  const live = new Map<string, Live>();
  /** Ends the wait after which a finished agent is no longer kept in memory. */
  const idle = new Map<string, () => void>();
  let isClosing = false;

  /** The definition by which an agent may be started here, or why not. */
  async function check(order: AgentOrder, leader: OpenAgentSession): Promise<Answer<AgentDefinition>> {
    const table = await parts.table();
    const definition = table.find(order.agent);
    if (definition === undefined || definition.isHidden || definition.mode === "primary")
      return refused(table.unknown(order.agent));
    if (order.isolation !== undefined || definition.isolation !== undefined)
      return refused("Worktrees are not available yet.", "Start the agent without isolation.");
    const depth = depthOf(leader.state) + 1;
    const starts = startsOf(leader, (name) => table.find(name));
    const isFree = depth <= Math.min(settings.maxDepth, depthMax);
    if (!isFree && !(starts?.includes(definition.name) && depth <= depthMax))
      return refused("Agents of this depth may not start further agents.", "Do the work here.");
    if (starts !== undefined && !starts.includes(definition.name))
      return refused(`This agent may only start: ${starts.join(", ")}.`);
    return { ok: true, value: definition };
  }

  async function profileFor(
    definition: AgentDefinition,
    leader: OpenAgentSession,
    agent: Pick<AgentRecord, "agentId" | "depth" | "isBackground">,
  ) {
    return childProfile(leader.profile, {
      definition,
      depth: agent.depth,
      isBackground: agent.isBackground === true,
      mayStartAgents: definition.starts !== undefined || agent.depth < Math.min(settings.maxDepth, depthMax),
      sources: parts.newSources(definition, agent.agentId),
      softRequestBudget: settings.softRequestBudget,
    });
  }

  /** Stores the start, begins the round, and takes care of what follows its end. Must be called alone. */
  async function begin(
    leader: OpenAgentSession,
    started: FactOf<"agent.started">,
    round: {
      readonly options: RunOptions;
      readonly past?: Readonly<SessionState>;
      readonly begin: () => Promise<string | undefined>;
      readonly leavePlace: () => void;
    },
  ): Promise<Answer<StartedAgent>> {
    const { agentId, name } = started;
    const parentId = leader.state.sessionId;
    if (isClosing || !(await leader.record(started))) {
      round.leavePlace();
      return refused("The session was closed.");
    }
    stopIdle(agentId);
    const running = startRound(sessions, {
      agentId,
      options: round.options,
      ...(round.past !== undefined && { past: { ...round.past } }),
      maxRuntimeMs: settings.maxRuntimeMs,
      begin: round.begin,
      startTimer: parts.startTimer,
      alone: (work) => turns.take(agentId, work),
      store: (end) => store(parentId, end, started),
    });
    live.set(agentId, { parentId, round: running, leavePlace: round.leavePlace });
    const problem = await running.begun;
    if (started.isRevived && problem !== undefined) return refused(problem);
    return { ok: true, value: { agentId, ...(name !== undefined && { name }), ended: running.ended } };
  }

  /** What cannot be stored now is found in the record of the agent when its parent is opened again. */
  async function store(
    parentId: string,
    end: AgentEnd,
    { name, isBackground }: FactOf<"agent.started">,
  ): Promise<void> {
    const { agentId, status } = end;
    const ended = live.get(agentId);
    live.delete(agentId);
    const leader = sessions.find(parentId);
    await leader?.record({ type: "agent.ended", ...end }).catch(passFailures);
    ended?.leavePlace();
    await endJobs(agentId);
    if (name === undefined || status === "cancelled" || isClosing) void park(agentId);
    else
      idle.set(
        agentId,
        parts.startTimer(() => void park(agentId), settings.idleTtlMs),
      );
    if (isBackground && status !== "cancelled") leader?.wake();
  }

  async function endJobs(agentId: string): Promise<void> {
    const jobs = sessions.find(agentId)?.jobs;
    const running = jobs?.list().filter(({ status }) => status === "running") ?? [];
    await Promise.all(running.map(({ jobId }) => jobs?.kill(jobId)));
  }

  /** Frees its memory; the record stays. */
  async function park(agentId: string): Promise<void> {
    stopIdle(agentId);
    await turns.take(agentId, async () => {
      if (!live.has(agentId)) await sessions.close(agentId);
    });
  }

  function stopIdle(agentId: string): void {
    idle.get(agentId)?.();
    idle.delete(agentId);
  }

  async function start(order: AgentOrder, parent: AgentParent, signal: AbortSignal): Promise<Answer<StartedAgent>> {
    const leader = sessions.find(parent.sessionId);
    if (leader === undefined) return refused(`Session ${parent.sessionId} is not open.`);
    const known = order.key === undefined ? undefined : storedEnd(leader, order.key);
    if (known !== undefined) return { ok: true, value: { agentId: known.agentId, ended: Promise.resolve(known) } };
    const checked = await check(order, leader);
    if (!checked.ok) return checked;
    const definition = order.isFork ? forkOf(checked.value) : checked.value;
    // Before anything else happens: what the session does meanwhile is not in it.
    const prefix = order.isFork ? await leader.prefix() : undefined;
    if (prefix?.ok === false) return prefix;
    const leavePlace = await places.take(parent.sessionId, signal);
    if (leavePlace === undefined) return refused("It was cancelled before it started.");
    const agentId = sessions.newId();
    const isBackground = order.isBackground === true;
    const name =
      order.name === undefined ? undefined : uniqueName(order.name, rootOf(leader.state, sessions), sessions);
    const started: FactOf<"agent.started"> = {
      type: "agent.started",
      ...{ agentId, agent: definition.name, description: order.description, depth: depthOf(leader.state) + 1 },
      ...(parent.callId !== undefined && { callId: parent.callId }),
      ...(name !== undefined && { name }),
      ...(order.key !== undefined && { key: order.key }),
      ...(isBackground && { isBackground }),
    };
    const options = optionsOf(definition, order.outputSchema ?? definition.outputSchema);
    const made = await turns.take(agentId, () =>
      begin(leader, started, {
        options,
        leavePlace,
        async begin() {
          const model =
            prefix?.value.model ?? (await parts.modelFor(order.model ?? definition.model, leader.state.model));
          const profile =
            prefix === undefined
              ? await profileFor(definition, leader, started)
              : forkProfile(leader.profile, prefix.value, { depth: started.depth });
          const opened = await sessions.create({ agentId, parent, model }, profile);
          if (!opened.ok) return opened.failure.message;
          const prompt = prefix === undefined ? order.prompt : forkPrompt(order.prompt);
          const sent = await sessions.submit(agentId, prompt, options);
          return sent.ok ? undefined : sent.failure.message;
        },
      }),
    );
    if (made.ok) cancelWith(signal, agentId, made.value.ended);
    return made;
  }

  function cancelWith(signal: AbortSignal, agentId: string, ended: Promise<AgentEnd>): void {
    const cancel = () => live.get(agentId)?.round.cancel("cancelled");
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
    void ended.then(() => signal.removeEventListener("abort", cancel));
  }

  /** Another round of an agent that has ended. Must be called alone. */
  async function again(
    agentId: string,
    speak: (options: RunOptions) => Promise<Answer<object>>,
  ): Promise<Answer<StartedAgent>> {
    const found = await findRecord(agentId);
    if (found === undefined) return refused(`There is no agent ${agentId}.`, "kedge agents lists them.");
    const { leader, record } = found;
    if (leader === undefined)
      return refused(`The session of agent ${agentId} is not open.`, `Resume ${found.parentId} first.`);
    if (record.agent === forkName)
      return refused("A fork cannot be continued: its conversation was that of its session.", "Start a new one.");
    const table = await parts.table();
    const definition = table.find(record.agent);
    if (definition === undefined) return refused(table.unknown(record.agent));
    const past = sessions.find(agentId)?.state ?? (await sessions.stored(agentId));
    if (past === undefined) return refused(`Agent ${agentId} never started, so nothing can be continued.`);
    const { name, key, depth, description } = record;
    const started: FactOf<"agent.started"> = {
      type: "agent.started",
      ...{ agentId, agent: record.agent, description, depth, isBackground: true, isRevived: true },
      afterSeq: past.lastSeq,
      ...(name !== undefined && { name }),
      ...(key !== undefined && { key }),
    };
    const options = optionsOf(definition, definition.outputSchema);
    return begin(leader, started, {
      options,
      past,
      leavePlace: () => undefined,
      async begin() {
        if (sessions.find(agentId) === undefined) {
          const resumed = await sessions.resume(agentId, await profileFor(definition, leader, started));
          if (!resumed.ok) return resumed.failure.message;
        }
        const spoken = await speak(options);
        return spoken.ok ? undefined : spoken.failure.message;
      },
    });
  }

  async function findRecord(agentId: string) {
    const state = sessions.find(agentId)?.state ?? (await sessions.stored(agentId));
    const parentId = state?.origin?.kind === "child" ? state.origin.sessionId : undefined;
    if (parentId === undefined) return undefined;
    const leader = sessions.find(parentId);
    const record = (leader?.state ?? (await sessions.stored(parentId)))?.agents.get(agentId);
    return record === undefined ? undefined : { parentId, leader, record };
  }

  const stop = async (agentId: string): Promise<Answer<Record<never, never>>> => {
    const running = live.get(agentId);
    if (running === undefined) {
      const found = await findRecord(agentId);
      return found === undefined
        ? refused(`There is no agent ${agentId}.`, "kedge agents lists them.")
        : refused(`Agent ${agentId} is not running.`);
    }
    running.round.cancel("cancelled");
    await running.round.ended;
    return { ok: true, value: {} };
  };

  /** Those that work for it, however deep. */
  const below = (agentId: string): readonly string[] =>
    [...live].flatMap(([id, { parentId }]) => (parentId === agentId ? [id, ...below(id)] : []));

  return {
    start,
    list: (rootId) => listAgents(sessions, rootId, (agentId) => live.get(agentId)?.round.lastAction()),
    find: (agentId) => findAgent(sessions, agentId, (id) => live.get(id)?.round.lastAction()),
    message: (agentId, text, from) =>
      turns.take(agentId, async () => {
        const messageId = `msg_${sessions.newId().slice(4)}`;
        const value = { ok: true, value: { messageId } } as const;
        const open = live.has(agentId) ? sessions.find(agentId) : undefined;
        const said = from.kind === "leader" ? `Message from ${from.name}, for whom you work:\n\n${text}` : text;
        if (from.kind !== "peer") {
          if (open === undefined) {
            const revived = await again(agentId, (options) => sessions.submit(agentId, said, options));
            return revived.ok ? value : revived;
          }
          const sent = await sessions.submit(agentId, said, {});
          return sent.ok ? value : sent;
        }
        const mail = { type: "mail.received", messageId, fromId: from.sessionId, from: from.name, text } as const;
        if (open !== undefined) {
          return (await open.record(mail)) ? value : refused(`Agent ${agentId} was just closed.`, "Send it again.");
        }
        return await mailToFinished(agentId, mail, value);
      }),
    interrupt: stop,
    async kill(agentId) {
      const ids = below(agentId);
      const stopped = await stop(agentId);
      for (const id of ids) live.get(id)?.round.cancel("cancelled");
      await Promise.all(ids.map((id) => live.get(id)?.round.ended));
      await park(agentId);
      return stopped;
    },
    revive: (agentId, text = reviveText) =>
      turns.take(agentId, async () =>
        live.has(agentId)
          ? refused(`Agent ${agentId} is running.`, "Send it a message instead.")
          : again(agentId, (options) => sessions.submit(agentId, text, options)),
      ),
    async close() {
      isClosing = true;
      for (const agentId of [...idle.keys()]) stopIdle(agentId);
      const running = [...live.values()];
      for (const { round } of running) round.cancel("cancelled");
      await Promise.all(running.map(({ round }) => round.ended));
    },
  };

  async function mailToFinished<Value>(
    agentId: string,
    mail: FactOf<"mail.received">,
    value: Answer<Value>,
  ): Promise<Answer<Value>> {
    const found = await findRecord(agentId);
    const status = found?.record.end?.status;
    if (status !== undefined && status !== "completed" && status !== "max_turns")
      return refused(`Agent ${agentId} ended as ${status}; only the session it works for can continue it.`);
    const woken = await again(agentId, async () => {
      const open = sessions.find(agentId);
      if (open === undefined || !(await open.record(mail))) return refused("It could not be opened.");
      open.wake();
      return { ok: true, value: {} };
    });
    return woken.ok ? value : woken;
  }
}

export function depthOf({ origin }: Pick<SessionState, "origin">): number {
  return origin?.kind === "child" ? (origin.depth ?? 1) : 0;
}

/** Those that the agent of this session may start; any where its definition does not say. */
function startsOf({ profile }: OpenAgentSession, find: (name: string) => AgentDefinition | undefined) {
  return profile.agent === undefined ? undefined : find(profile.agent.name)?.starts;
}

function optionsOf({ maxTurns, effort }: AgentDefinition, answerSchema: RunOptions["answerSchema"]): RunOptions {
  return {
    stepsMax: maxTurns,
    ...(answerSchema !== undefined && { answerSchema }),
    ...(effort !== undefined && { reasoning: { effort } }),
  };
}

/** What ended by itself need not run again. */
function storedEnd({ state }: OpenAgentSession, key: string): AgentEnd | undefined {
  const { end } = [...state.agents.values()].findLast((agent) => agent.key === key) ?? {};
  return end?.status === "completed" || end?.status === "max_turns" ? end : undefined;
}

function passFailures(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}
