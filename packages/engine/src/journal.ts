/** The one door: every fact of a session is stored here first, then folded, then published. */
import {
  type AppendOutcome,
  applyRecord,
  durableFacts,
  type Event,
  emptySession,
  type Fact,
  FailureError,
  hasReleased,
  recallItems,
  recallingFacts,
  releaseItems,
  type SessionState,
  type Signal,
  type Store,
} from "@kedge/protocol";

export type JournalParts = {
  readonly store: Store;
  readonly state: SessionState;
  readonly boot: string;
  /** Facts come with their position in the store. */
  readonly publish: (event: Event, position?: number) => void;
};

export interface Journal {
  readonly state: SessionState;
  /**
   * Awaiting this means the facts are stored, folded into `state` and published. Facts emitted before everything that
   * can run has run share a transaction, in the order of the calls. Rejects with a FailureError.
   */
  emit(...facts: readonly Fact[]): Promise<void>;
  /**
   * With every summary the state gives up the long texts that it stands for. Awaiting this means that they are there
   * again; `emit` does so by itself for facts that show them to the model. Rejects with a FailureError.
   */
  recall(): Promise<void>;
  signal(signal: Signal): void;
  /** Set after a write failed: until `repair`, every further fact is refused, so that nothing happens unrecorded. */
  broken(): FailureError | undefined;
  repair(): void;
}

type Batch = { readonly facts: Fact[]; readonly stored: Promise<void> };

export function createJournal({ store, state, boot, publish }: JournalParts): Journal {
  let batch: Batch | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let failure: FailureError | undefined;

  /**
   * The write waits for the next tick, which comes when no promise is left to run. So a whole turn with a read-only
   * call (answer, call, result, next step) costs one commit instead of three.
   */
  function openBatch(): Batch {
    const facts: Fact[] = [];
    const previous = last;
    const stored = new Promise<void>((resolve) => process.nextTick(resolve)).then(async () => {
      // The failure of an earlier batch belongs to those who emitted it; here it only sets the order.
      await previous.catch(() => undefined);
      batch = undefined;
      if (failure !== undefined) throw failure;
      if (facts.some(({ type }) => recallingFacts.has(type))) await recall();
      const { records, position } = await append(facts);
      let at = position - records.length;
      for (const record of records) {
        at += 1;
        applyRecord(state, record);
        publish({ kind: "fact", record }, at);
      }
      if (facts.some(({ type }) => type === "context.compacted")) releaseItems(state);
    });
    last = stored;
    return { facts, stored };
  }

  async function recall(): Promise<void> {
    if (!hasReleased(state)) return;
    const whole = emptySession(state.sessionId);
    await store.fold(whole);
    recallItems(state, whole);
  }

  async function append(facts: readonly Fact[]): Promise<Extract<AppendOutcome, { ok: true }>> {
    try {
      const durable = facts.some((fact) => durableFacts.has(fact.type));
      const outcome = await store.append(state.sessionId, facts, { boot, durable });
      if (outcome.ok) return outcome;
      throw leaseLost(state.sessionId, outcome.holder?.pid);
    } catch (error) {
      if (error instanceof FailureError) failure = error;
      throw error;
    }
  }

  return {
    state,
    emit(...facts) {
      batch ??= openBatch();
      batch.facts.push(...facts);
      return batch.stored;
    },
    recall,
    signal(signal) {
      publish({ kind: "signal", signal });
    },
    broken: () => failure,
    repair() {
      failure = undefined;
    },
  };
}

function leaseLost(sessionId: string, pid: number | undefined): FailureError {
  const holder = pid === undefined ? "another kedge process" : `another kedge process (pid ${pid})`;
  return new FailureError({
    code: "session_busy",
    message: `Session ${sessionId} was taken over by ${holder}. Nothing more is written from here.`,
    recovery: "Close the other one, or continue in a copy with --fork-session.",
    retryable: false,
  });
}
