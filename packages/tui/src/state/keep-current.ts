/** Keeps what is shown of one session current: reads it again whenever something may be missing, and says so meanwhile. */
import { type Failure, FailureError } from "@kedge/protocol";
import type { ClientState } from "./client-state.ts";
import { createRereading } from "./rereading.ts";
import type { StateStore } from "./state-store.ts";

export type KeepCurrentParts = {
  readonly store: StateStore<ClientState>;
  /** Reads everything and takes it into the state, unless its signal has aborted. Throws a `FailureError`. */
  readonly read: (signal: AbortSignal) => Promise<void>;
  /** What was held while something was read can be taken in. */
  readonly onReadEnd: () => void;
  readonly onLost: (sentence: string, failure?: Failure) => void;
  readonly onBack?: (() => void) | undefined;
};

/**
 * The connection is `ended` when the stream is, `lost` while the stream is or while what was missed cannot be read, and
 * `ready` only when the stream is up and everything was read after the last gap.
 */
export interface KeptCurrent {
  /** A page is being read that may be older than what the stream tells meanwhile. */
  isReading(): boolean;
  /** Resolves when everything was read after the call. What may pass is waited for. */
  refresh(): Promise<void>;
  /** The same, its failure told. */
  refreshOrTell(): void;
  onConnected(): void;
  onLost(): void;
  onEnd(sentence: string, failure?: Failure): void;
  stop(): void;
}

export function keepCurrent({ store, read, onReadEnd, onLost, onBack }: KeepCurrentParts): KeptCurrent {
  let stream: "up" | "lost" | "ended" = "up";
  /** From the first sign that something is missing until everything was read. */
  let isStale = false;
  let reading: AbortSignal | undefined;
  const rereading = createRereading({
    read: readHolding,
    onFailed: () => setConnection("lost"),
    isOver: () => stream === "ended",
  });

  function setConnection(connection: ClientState["connection"]): void {
    const isBack = connection === "ready" && store.get().connection === "lost";
    store.update((state) => ({ ...state, connection }));
    if (isBack) onBack?.();
  }

  async function readHolding(signal: AbortSignal): Promise<void> {
    reading = signal;
    const end = () => {
      if (reading !== signal) return;
      reading = undefined;
      onReadEnd();
    };
    signal.addEventListener("abort", end);
    // What happens between a read and the return of the stream is in neither.
    const isFollowed = stream === "up";
    try {
      await read(signal);
      if (signal.aborted) return;
      if (isFollowed && stream === "up") isStale = false;
      setConnection(stream !== "up" ? stream : isStale ? "lost" : "ready");
    } finally {
      end();
    }
  }

  function refresh(): Promise<void> {
    isStale = true;
    return rereading.demand();
  }

  function refreshOrTell(): void {
    refresh().catch((error: unknown) => {
      if (!(error instanceof FailureError)) throw error;
      onLost(error.failure.message, error.failure);
    });
  }

  return {
    isReading: () => reading !== undefined,
    refresh,
    refreshOrTell,
    onConnected() {
      stream = "up";
      rereading.hasten();
      // A server that was started again knows nothing of what it told before.
      if (isStale) refreshOrTell();
    },
    onLost() {
      stream = "lost";
      isStale = true;
      setConnection("lost");
      // Its connections are dead as well, mostly without a word.
      rereading.breakOff();
    },
    onEnd(sentence, failure) {
      stream = "ended";
      setConnection("ended");
      onLost(sentence, failure);
    },
    stop: rereading.stop,
  };
}
