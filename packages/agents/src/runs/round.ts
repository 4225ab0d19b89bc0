/** One round of an agent: from its start to its one end, whatever happens in between. */
import {
  type AgentEnd,
  addUsage,
  boundResult,
  type Cost,
  type FactOf,
  noUsage,
  type RunOptions,
  type RunResult,
  type RunVerdict,
  type SessionState,
  type Usage,
  verdictOnRun,
} from "@kedge/protocol";
import type { AgentSessions, OpenAgentSession } from "./agent-sessions.ts";

export type RoundWish = {
  readonly agentId: string;
  readonly options: RunOptions;
  /** What its session was before this round; absent for a new one. */
  readonly past?: Readonly<SessionState>;
  readonly maxRuntimeMs: number;
  /** What begins it: a prompt, or mail. */
  readonly begin: () => Promise<string | undefined>;
  readonly startTimer: (work: () => void, delayMs: number) => () => void;
  /** Runs alone among everything that starts, ends or writes to this agent. */
  readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Told after each call that begins and each answer that ends. */
  readonly progressed: (lastAction: string | undefined) => void;
  /** Its runs come and go; it ends when somebody ends it. */
  readonly isResident?: boolean;
  /** Stores the end, alone, and gives it as it was stored. */
  readonly store: (end: AgentEnd) => Promise<AgentEnd>;
};

export interface Round {
  /** What kept it from beginning, or nothing. */
  readonly begun: Promise<string | undefined>;
  readonly ended: Promise<AgentEnd>;
  /** The last tool call, in a few words. */
  lastAction(): string | undefined;
  readonly isResident: boolean;
  cancel(why: "cancelled" | "timed_out"): void;
  /** A resident ends with its last run. */
  dismiss(): void;
}

export function startRound(sessions: AgentSessions, wish: RoundWish): Round {
  const { agentId, options } = wish;
  const startedAt = sessions.now();
  const used = totalOf(wish.past);
  const ended = Promise.withResolvers<AgentEnd>();
  let lastAction: string | undefined;
  let stopped: "cancelled" | "timed_out" | undefined;
  let isOver = false;
  let stays = wish.isResident === true;
  let turns = 0;

  const unsubscribe = sessions.subscribe(agentId, (event) => {
    if (event.kind === "signal") {
      if (event.signal.type === "run.unrecorded") void finish(undefined, event.signal.failure.message);
      return;
    }
    const { fact } = event.record;
    if (fact.type === "tool.started") lastAction = actionOf(fact);
    if (fact.type === "tool.started" || fact.type === "step.ended") wish.progressed(lastAction);
    if (fact.type === "step.started") turns += 1;
    else if (fact.type === "run.ended") void finish(fact);
  });
  const endTimer =
    wish.maxRuntimeMs > 0 ? wish.startTimer(() => cancel("timed_out"), wish.maxRuntimeMs) : () => undefined;

  function cancel(why: "cancelled" | "timed_out"): void {
    if (isOver) return;
    stopped ??= why;
    if (stays) dismiss();
    else void sessions.interrupt(agentId);
  }

  function dismiss(): void {
    stays = false;
    const open = sessions.find(agentId);
    if (open?.state.runId === undefined) void finish(open?.state.lastRun);
    else void sessions.interrupt(agentId);
  }

  /** A run that ends while something waits for the agent is not its end. */
  function finish(run: RunResult | undefined, problem?: string): Promise<void> {
    return wish.alone(async () => {
      if (isOver || stays) return;
      const open = sessions.find(agentId);
      if (run?.reason === "completed" && stopped === undefined && open !== undefined && hasMore(open)) {
        open.wake();
        return;
      }
      isOver = true;
      unsubscribe();
      endTimer();
      ended.resolve(await wish.store(endOf(run, problem, open)));
    });
  }

  function endOf(
    run: RunResult | undefined,
    problem: string | undefined,
    open: OpenAgentSession | undefined,
  ): AgentEnd {
    const { usage, cost } = usedSince(used, open);
    const { status, why } = verdictOf(run, problem);
    return {
      agentId,
      status,
      ...boundResult(agentId, run?.text ?? ""),
      ...(run?.structured !== undefined && { structured: run.structured }),
      ...{ usage, cost, turns, durationMs: sessions.now() - startedAt },
      ...(why !== undefined && { why }),
    };
  }

  function verdictOf(run: RunResult | undefined, problem: string | undefined): RunVerdict {
    if (stopped === "timed_out")
      return { status: "timed_out", why: `It was stopped after ${wish.maxRuntimeMs / 1_000} seconds.` };
    if (stopped === "cancelled" && wish.isResident) return { status: "cancelled", why: "It was canceled." };
    if (run === undefined) return { status: "failed", why: problem ?? "It could not start." };
    return verdictOnRun(run, options.stepsMax);
  }

  const begun = wish.begin().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  void begun.then((problem) => {
    // Cancelled while its session was being opened: there was nothing to interrupt yet.
    if (problem === undefined && stopped !== undefined && !isOver) void sessions.interrupt(agentId);
    if (problem === undefined) return;
    stays = false;
    void finish(undefined, problem);
  });

  const isResident = wish.isResident === true;
  return { begun, ended: ended.promise, lastAction: () => lastAction, isResident, cancel, dismiss };
}

function hasMore({ state }: OpenAgentSession): boolean {
  return state.runId !== undefined || state.mail.size > 0 || state.queue.length > 0;
}

type Use = { readonly usage: Usage; readonly cost: Cost };

/** Of its own requests and of the agents that worked for it. */
export function totalOf(state: Pick<SessionState, "usage" | "cost" | "agentsUse"> | undefined): Use {
  if (state === undefined) return { usage: noUsage, cost: { usd: 0, estimated: false } };
  const { usage, cost, agentsUse } = state;
  return {
    usage: addUsage(usage, agentsUse.usage),
    cost: { usd: cost.usd + agentsUse.cost.usd, estimated: cost.estimated || agentsUse.cost.estimated },
  };
}

function usedSince(before: Use, open: OpenAgentSession | undefined): Use {
  if (open === undefined) return { usage: noUsage, cost: { usd: 0, estimated: true } };
  const now = totalOf(open.state);
  return {
    usage: {
      input: now.usage.input - before.usage.input,
      output: now.usage.output - before.usage.output,
      reasoning: now.usage.reasoning - before.usage.reasoning,
      cacheRead: now.usage.cacheRead - before.usage.cacheRead,
      cacheWrite: now.usage.cacheWrite - before.usage.cacheWrite,
    },
    cost: { usd: now.cost.usd - before.cost.usd, estimated: now.cost.estimated },
  };
}

const actionCharactersMax = 80;

function actionOf({ tool, inputText }: FactOf<"tool.started">): string {
  const input = /"(?:command|filePath|path|pattern|url|query|description)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(
    inputText,
  )?.[1];
  return (input === undefined ? tool : `${tool} ${input}`).slice(0, actionCharactersMax);
}
