/**
 * Chooses one tab of a browser that listens even while nobody sees it. The others listen while they are seen: a browser
 * has six connections to a server for all its tabs, and each stream takes one for as long as it lasts.
 */
export interface ListeningTab {
  /** This tab listens, seen or not. */
  isChosen(): boolean;
  /** From now on this tab can be chosen, and is the next one when those before it are closed. */
  join(): void;
  leave(): void;
}

export type ListeningTabParts = {
  /** Without them no tab knows of another: browsers have them only where a page came over TLS or from this machine. */
  readonly locks: LockManager | undefined;
  readonly onChosen: () => void;
};

/** Belongs to the origin, as the connections do. The browser gives it to the next tab when one is closed or crashes. */
const lockName = "kedge-event-stream";

export function chooseListeningTab({ locks, onChosen }: ListeningTabParts): ListeningTab {
  if (locks === undefined) return { isChosen: () => true, join() {}, leave() {} };
  let joined: AbortController | undefined;
  let isChosen = false;

  /** Holds the lock until this tab leaves. */
  function hold({ signal }: AbortController): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    isChosen = true;
    onChosen();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  }

  return {
    isChosen: () => isChosen,
    join() {
      if (joined !== undefined) return;
      const own = new AbortController();
      joined = own;
      locks
        .request(lockName, { signal: own.signal }, () => hold(own))
        .catch((error: unknown) => {
          if (!own.signal.aborted) throw error;
        });
    },
    leave() {
      isChosen = false;
      joined?.abort();
      joined = undefined;
    },
  };
}
