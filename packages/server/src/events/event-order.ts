/** The one order of events: facts as they lie in the store, and each signal between the facts it was published between. */
import type { CommandDoor, Event, FactRecord, Signal, Store } from "@kedge/protocol";

export type EventSource = Pick<CommandDoor, "subscribeAll">;

export type EventOrderParts = {
  readonly engine: EventSource;
  readonly store: Pick<Store, "tail">;
  /** Of the last fact that was taken. */
  readonly position: () => number;
  /** False when it takes time, and `takeFact` is to be called. */
  readonly takeFactNow: (position: number, record: FactRecord) => boolean;
  readonly takeFact: (position: number, record: FactRecord) => Promise<void>;
  /** False when it takes time, and `takeSignal` is to be called. */
  readonly takeSignalNow: (signal: Signal) => boolean;
  readonly takeSignal: (signal: Signal) => Promise<void>;
  /** Everything up to here was taken. */
  readonly onTaken: () => void;
  readonly onFailure: (error: unknown) => void;
};

export interface EventOrder {
  /** Listens to the engine until the function given back is called; nothing is taken before `release`. */
  begin(): () => void;
  release(): void;
  /** Reads facts up to this position that nobody here published. */
  read(upTo: number): void;
  /** Resolves when everything is taken that was there. */
  settled(): Promise<void>;
}

type Waiting =
  | { readonly kind: "fact"; readonly position: number; readonly record: FactRecord }
  | { readonly kind: "signal"; readonly signal: Signal }
  | { readonly kind: "stored"; readonly upTo: number };

/** Facts are taken as they were published. The store is read only for those between that others have written. */
export function createEventOrder(parts: EventOrderParts): EventOrder {
  let waiting: Waiting[] = [];
  let isHeld = true;
  let taking: Promise<void> | undefined;

  /** False when it has to wait for something. */
  function takeNow(next: Waiting): boolean {
    if (next.kind === "signal") return parts.takeSignalNow(next.signal);
    const position = parts.position();
    if (next.kind === "stored") return next.upTo <= position;
    // What was read from the store is published as well, when it is one of our own.
    if (next.position <= position) return true;
    return next.position === position + 1 && parts.takeFactNow(next.position, next.record);
  }

  async function takeStored(upTo: number): Promise<void> {
    if (upTo <= parts.position()) return;
    for await (const { position, record } of parts.store.tail(parts.position())) {
      if (position > upTo) break;
      await parts.takeFact(position, record);
    }
  }

  async function take(next: Waiting): Promise<void> {
    if (takeNow(next)) return;
    if (next.kind === "signal") return parts.takeSignal(next.signal);
    if (next.kind === "stored") return takeStored(next.upTo);
    await takeStored(next.position - 1);
    await parts.takeFact(next.position, next.record);
  }

  async function takeAll(): Promise<void> {
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        await take(next);
        // All of it may have been forgotten meanwhile.
        if (waiting[0] === next) waiting.shift();
      }
      parts.onTaken();
    } catch (error) {
      // The next event, or the next look for those of other processes, tries again.
      parts.onFailure(error);
    } finally {
      taking = undefined;
    }
  }

  function put(next: Waiting): void {
    // The usual case: everything that was published is taken already.
    if (!isHeld && taking === undefined && waiting.length === 0 && takeNow(next)) {
      parts.onTaken();
      return;
    }
    waiting.push(next);
    if (!isHeld) taking ??= takeAll();
  }

  return {
    begin() {
      isHeld = true;
      const stop = parts.engine.subscribeAll((_, event, position) => put(waitingOf(event, position)));
      return () => {
        stop();
        isHeld = true;
        waiting = [];
      };
    },
    release() {
      isHeld = false;
      if (waiting.length > 0) taking ??= takeAll();
    },
    read: (upTo) => put({ kind: "stored", upTo }),
    async settled() {
      await taking;
    },
  };
}

/** A fact that came without its position is looked for in the store. */
function waitingOf(event: Event, position: number | undefined): Waiting {
  if (event.kind === "signal") return event;
  if (position === undefined) return { kind: "stored", upTo: Number.POSITIVE_INFINITY };
  return { ...event, position };
}
