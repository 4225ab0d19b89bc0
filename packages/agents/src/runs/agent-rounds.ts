/** The agents that work here, and those that have finished and are still in memory: each start gets exactly one end. */
import {
  type AgentEnd,
  type Answer,
  type FactOf,
  FailureError,
  type RunOptions,
  refused,
  type SessionState,
  type StartedAgent,
} from "@kedge/protocol";
import { rootOf } from "./agent-names.ts";
import type { AgentRunsParts, OpenAgentSession } from "./agent-sessions.ts";
import { type AgentWorktree, withWorktreeNote } from "./agent-worktree.ts";
import { createIdleAgents } from "./idle-agents.ts";
import { type Round, startRound, totalOf } from "./round.ts";
import { createTurns } from "./turns.ts";

export type RoundStart = {
  readonly options: RunOptions;
  /** What the session was before; absent for a new one. */
  readonly past?: Readonly<SessionState>;
  readonly begin: () => Promise<string | undefined>;
  readonly leavePlace: () => void;
  readonly isResident?: boolean;
  /** Absent where it works in the checkout of its leader. */
  readonly worktree?: Pick<AgentWorktree, "leave">;
};

export interface AgentRounds {
  /** Runs alone among everything that starts, ends or writes to this agent. */
  alone<Value>(agentId: string, work: () => Promise<Value>): Promise<Value>;
  /** Stores the start, and begins only then. To be called alone. */
  begin(leader: OpenAgentSession, started: FactOf<"agent.started">, start: RoundStart): Promise<Answer<StartedAgent>>;
  running(agentId: string): Round | undefined;
  /** Those that work for it, however deep. */
  below(agentId: string): readonly string[];
  /** Frees the memory of one that does not work; its record stays. */
  park(agentId: string): Promise<void>;
  /** Cancels all, and resolves when every end is stored. */
  close(): Promise<void>;
}

type Live = { readonly parentId: string; readonly round: Round; readonly leavePlace: () => void };

/** `mailLeft` is told of an agent that reached its turn limit with messages that it has not read. */
export function createAgentRounds(
  { sessions, settings, startTimer, onNotice }: AgentRunsParts,
  mailLeft: (agentId: string) => void,
): AgentRounds {
  const turns = createTurns();
  const live = new Map<string, Live>();
  const idle = createIdleAgents({ startTimer, settings });
  let isClosing = false;

  async function park(agentId: string): Promise<void> {
    idle.stop(agentId);
    await turns.take(agentId, async () => {
      if (!live.has(agentId)) await sessions.close(agentId);
    });
  }

  /** A step of the end of an agent that fails keeps no other one from being taken. */
  async function apart<Value>(agentId: string, what: string, work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onNotice(`Agent ${agentId} has ended, but ${what} failed: ${reason}`);
      return undefined;
    }
  }

  async function endJobs(agentId: string): Promise<void> {
    const jobs = sessions.find(agentId)?.jobs;
    const running = jobs?.list().filter(({ status }) => status === "running") ?? [];
    await Promise.all(running.map(({ jobId }) => apart(agentId, `stopping ${jobId}`, async () => jobs?.kill(jobId))));
  }

  /** What cannot be stored now is found in the record of the agent when its parent is opened again. */
  async function store(end: AgentEnd, started: FactOf<"agent.started">, parentId: string): Promise<void> {
    const { agentId, status } = end;
    const ended = live.get(agentId);
    live.delete(agentId);
    const leader = sessions.find(parentId);
    await leader?.record({ type: "agent.ended", ...end }).catch(passFailures);
    ended?.leavePlace();
    const hasMail = (sessions.find(agentId)?.state.mail.size ?? 0) > 0;
    if (hasMail && status === "max_turns" && !isClosing) mailLeft(agentId);
    await endJobs(agentId);
    // Whoever has a name may be spoken to again.
    const isKept =
      started.name !== undefined && status !== "cancelled" && !isClosing && ended?.round.isResident !== true;
    if (isKept) idle.keep(agentId, () => void park(agentId));
    else void park(agentId);
    if (started.isBackground && status !== "cancelled") leader?.wake();
  }

  /** Whoever looks at a session sees all agents below it, so the one at the top is told. */
  function tellProgress(agentId: string, leader: OpenAgentSession, lastAction: string | undefined): void {
    const state = sessions.find(agentId)?.state;
    if (state === undefined) return;
    const root = sessions.find(rootOf(leader.state, sessions).sessionId);
    const done = { agentId, turns: state.turns, ...totalOf(state) };
    root?.tell({ type: "agent.progressed", ...done, ...(lastAction !== undefined && { lastAction }) });
  }

  return {
    alone: turns.take,
    async begin(leader, started, start) {
      const { agentId, name } = started;
      const parentId = leader.state.sessionId;
      const leave = async () => {
        start.leavePlace();
        await start.worktree?.leave();
      };
      let isStored = false;
      try {
        isStored = !isClosing && (await leader.record(started));
      } finally {
        if (!isStored) await leave();
      }
      if (!isStored) return refused("The session was closed.");
      idle.stop(agentId);
      const round = startRound(sessions, {
        ...start,
        agentId,
        maxRuntimeMs: settings.maxRuntimeMs,
        startTimer,
        alone: (work) => turns.take(agentId, work),
        progressed: (lastAction) => tellProgress(agentId, leader, lastAction),
        async store(end) {
          // Before the worktree is looked at: a job may still write there.
          if (start.worktree !== undefined) await endJobs(agentId);
          const note = await apart(agentId, "leaving its worktree", async () => start.worktree?.leave());
          const noted = { ...end, result: withWorktreeNote(end.result, note) };
          await store(noted, started, parentId);
          return noted;
        },
      });
      live.set(agentId, { parentId, round, leavePlace: start.leavePlace });
      const problem = await round.begun;
      if (started.isRevived && problem !== undefined) return refused(problem);
      return { ok: true, value: { agentId, ...(name !== undefined && { name }), ended: round.ended } };
    },
    running: (agentId) => live.get(agentId)?.round,
    below(agentId) {
      const own = [...live].flatMap(([id, { parentId }]) => (parentId === agentId ? [id] : []));
      return own.flatMap((id) => [id, ...this.below(id)]);
    },
    park,
    async close() {
      isClosing = true;
      idle.stopAll();
      const running = [...live.values()];
      for (const { round } of running) round.cancel("cancelled");
      await Promise.all(running.map(({ round }) => round.ended));
    },
  };
}

function passFailures(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}
