/** What is under way in a session: one run at a time, or one other piece of work for which prompts wait. */
import { isDeepStrictEqual } from "node:util";
import { type Failure, FailureError, type QueuedPrompt, type RunOptions } from "@kedge/protocol";
import { executeRun } from "../run/execute-run.ts";
import type { RunTerms } from "../run/run-terms.ts";
import { endingFacts } from "./ending-facts.ts";
import type { SessionParts } from "./session-parts.ts";

export interface SessionWork {
  /** The run under way, or one that will follow what is under way; undefined when nothing is. */
  runId(): string | undefined;
  /** True while something but a run is under way. */
  isOther(): boolean;
  isBusy(): Promise<boolean>;
  /** The first options given to a run are its own; false when it had them already. */
  giveOptions(runId: string, options: RunOptions, terms?: RunTerms): boolean;
  replaceOptions(runId: string, options: RunOptions): void;
  optionsOf(runId: string): RunOptions;
  /** The run of the prompt that waits last, when it begins after what is under way, with these options and no terms. */
  waitingRun(options: RunOptions): string | undefined;
  /** Of the run under way, or of the last one. */
  lastOptions(): RunOptions;
  /** Starts a run in the background; its end is a fact, or a signal when even that cannot be stored. */
  start(runId: string): void;
  /** Undefined when something is under way, or another prompt is being admitted like this. */
  admitIfIdle<Value>(admit: () => Promise<Value>): Promise<Value | undefined>;
  /** Does something that is no run; to be called while nothing is under way. Prompts that come meanwhile are next. */
  during<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  /** With what runs in sessions that work for this one. */
  stop(): void;
  /** Resolves when what is under way is put away. */
  settled(): Promise<void>;
}

export type WorkListeners = {
  /** Something begins. */
  readonly onBusy: () => void;
  /** Nothing is under way any more, and nothing waits to be. May start something at once. */
  readonly onIdle: (after: "run" | "other") => void;
};

type Active = {
  readonly runId: string;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  readonly isOther?: true;
};

export function createSessionWork(session: SessionParts, { onBusy, onIdle }: WorkListeners): SessionWork {
  const { engine, journal, naming, pool, interruptChildren } = session;
  const { state } = journal;
  const optionsByRun = new Map<string, RunOptions>();
  const termsByRun = new Map<string, RunTerms>();
  let active: Active | undefined;
  let isAdmitting = false;
  let lastOptions: RunOptions = {};

  function start(runId: string): void {
    const stop = new AbortController();
    lastOptions = optionsByRun.get(runId) ?? {};
    const done = execute(runId, lastOptions, stop.signal).catch((error: unknown) => {
      const failure = error instanceof FailureError ? error.failure : bugFailure(error, engine.redact);
      journal.signal({ type: "run.unrecorded", sessionId: state.sessionId, runId, failure });
    });
    active = { runId, stop, done: done.then(() => ended(runId)) };
    onBusy();
  }

  async function execute(runId: string, options: RunOptions, signal: AbortSignal): Promise<void> {
    try {
      const result = await executeRun(session, { runId, options, isLeftOver, signal }, termsByRun.get(runId));
      await journal.emit(...(await endingFacts(engine, journal, { type: "run.ended", runId, ...result })));
      naming.runEnded();
      await engine.store.signHead(state.sessionId).catch(leaveUnsigned);
    } finally {
      pool.runEnded();
    }
  }

  /** It was said to a process that is gone. Nothing begins with it by itself, but whatever begins next takes it along. */
  const isLeftOver = (prompt: QueuedPrompt) => !optionsByRun.has(prompt.runId);

  /** What the user asked to be done after the run comes next; after a failure or a stop it waits for the user. */
  function ended(runId: string): void {
    active = undefined;
    const next = state.queue[0];
    if (next?.runId !== runId) {
      optionsByRun.delete(runId);
      termsByRun.delete(runId);
    }
    const isCompleted = state.lastRun?.runId === runId && state.lastRun.reason === "completed";
    if (next !== undefined && isCompleted && !isLeftOver(next)) start(next.runId);
    else onIdle("run");
  }

  /** What was said meanwhile comes next; what waited before still waits for the user. */
  function otherEnded(waiting: ReadonlySet<string>, { aborted }: AbortSignal): void {
    active = undefined;
    const next = state.queue.find(({ promptId }) => !waiting.has(promptId));
    if (next !== undefined && !aborted) start(next.runId);
    else onIdle("other");
  }

  /** A client may act on `run.ended` in the moment it is published; the run is then over, but not yet put away. */
  async function isBusy(): Promise<boolean> {
    if (active !== undefined && state.runId === undefined && !active.isOther) await active.done;
    return active !== undefined;
  }

  return {
    runId: () => active?.runId,
    isOther: () => active?.isOther === true,
    isBusy,
    async admitIfIdle(admit) {
      // Of two that come at once, the second finds the first here.
      if ((await isBusy()) || isAdmitting) return undefined;
      isAdmitting = true;
      return admit().finally(() => {
        isAdmitting = false;
      });
    },
    giveOptions(runId, options, terms) {
      if (optionsByRun.has(runId)) return false;
      optionsByRun.set(runId, options);
      if (terms !== undefined) termsByRun.set(runId, terms);
      return true;
    },
    replaceOptions: (runId, options) => void optionsByRun.set(runId, options),
    optionsOf: (runId) => optionsByRun.get(runId) ?? {},
    waitingRun(options) {
      const last = state.queue.findLast(({ delivery }) => delivery === "follow-up");
      if (active === undefined || last === undefined || last.runId === active.runId) return undefined;
      if (isLeftOver(last) || termsByRun.has(last.runId)) return undefined;
      return isDeepStrictEqual(optionsByRun.get(last.runId), options) ? last.runId : undefined;
    },
    lastOptions: () => lastOptions,
    start,
    during(work) {
      const stop = new AbortController();
      const waiting = new Set(state.queue.map(({ promptId }) => promptId));
      const answer = work(stop.signal);
      const over = () => otherEnded(waiting, stop.signal);
      active = { runId: engine.newId("run_"), stop, done: answer.then(over, over), isOther: true };
      onBusy();
      return answer;
    },
    stop() {
      active?.stop.abort();
      interruptChildren();
    },
    settled: async () => active?.done,
  };
}

/** The run is stored; whoever ends the next one, or gives the session free, signs it with the rest. */
function leaveUnsigned(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}

function bugFailure(error: unknown, redact: (text: string) => string): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { code: "unknown", message: `Internal error: ${redact(message)}`, retryable: false };
}
