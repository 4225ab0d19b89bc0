/** The session that a conversation follows: its state, whether a run is under way, and its events as they arrive. */
import { applyRecord, type Client, type Event, emptySession, FailureError, type SessionState } from "@kedge/protocol";

export interface FollowedSession {
  /** Another one once the user has gone over to a copy or a successor. */
  readonly id: string;
  readonly state: SessionState;
  isRunning(): boolean;
  /** Counts a run that was asked for as under way: the command's answer may come before its facts. */
  awaitRun(runId: string): void;
  /** The run stopped at a limit of cost or tokens, and the user has not said yet whether to go on. */
  isAtLimit(): boolean;
  passLimit(): void;
  /** Folds an event and hands it on. */
  take(event: Event): void;
  /** Takes what follows the facts taken so far. */
  follow(): void;
  /** The session that was left is free for others from then on. */
  goOverTo(sessionId: string, isShown: boolean): Promise<void>;
  stop(): Promise<void>;
}

export type FollowedSessionParts = {
  readonly client: Client;
  readonly sessionId: string;
  readonly onEvent: (event: Event) => void;
  /** No further event will come. */
  readonly onBroken: (error: unknown) => void;
};

export function createFollowedSession({ client, ...parts }: FollowedSessionParts): FollowedSession {
  let state = emptySession(parts.sessionId);
  const awaitedRuns = new Set<string>();
  let unrecordedRun: string | undefined;
  let atLimit = false;
  let following = new AbortController();
  let watching = Promise.resolve();

  function take(event: Event): void {
    if (event.kind === "fact") {
      const { fact } = event.record;
      applyRecord(state, event.record);
      if (fact.type === "run.ended") {
        awaitedRuns.delete(fact.runId);
        atLimit = fact.reason === "error_max_budget" && fact.failure === undefined;
      }
    } else if (event.signal.type === "run.unrecorded") {
      unrecordedRun = event.signal.runId;
      awaitedRuns.delete(unrecordedRun);
    }
    parts.onEvent(event);
  }

  /** Throws nothing: nobody waits for it before the end. */
  async function watch(signal: AbortSignal): Promise<void> {
    try {
      for await (const event of client.events(state.sessionId, state.lastSeq, signal)) take(event);
    } catch (error) {
      if (!(error instanceof FailureError && signal.aborted)) parts.onBroken(error);
    }
  }

  function follow(): void {
    following = new AbortController();
    watching = watch(following.signal);
  }

  async function stop(): Promise<void> {
    following.abort();
    await watching;
  }

  return {
    get id() {
      return state.sessionId;
    },
    get state() {
      return state;
    },
    isRunning: () => awaitedRuns.size > 0 || (state.runId !== undefined && state.runId !== unrecordedRun),
    awaitRun(runId) {
      awaitedRuns.add(runId);
    },
    isAtLimit: () => atLimit,
    passLimit() {
      atLimit = false;
    },
    ...{ take, follow, stop },
    async goOverTo(sessionId, isShown) {
      await stop();
      await client.send<"session.close">({ type: "session.close", sessionId: state.sessionId });
      state = emptySession(sessionId);
      awaitedRuns.clear();
      for await (const record of client.facts(sessionId)) {
        if (isShown) take({ kind: "fact", record });
        else applyRecord(state, record);
      }
      follow();
    },
  };
}
