/** Reads a list of a server again when it says that the list changed: at once, and not more often than is of use. */
import type { ListKind } from "./connect-parts.ts";

export interface ListRefresh {
  changed(what: ListKind): void;
  /** Until the lists are read that changed; undefined when none did. */
  reading(): Promise<void> | undefined;
}

export type ListRefreshParts = {
  readonly read: (what: ListKind) => Promise<void>;
  readonly onFailed: (what: ListKind, error: string) => void;
  readonly later: (work: () => void, delayMs: number) => () => void;
};

/** A server that tells of changes without end is asked this often. */
const gapMs = 200;

export function createListRefresh({ read, onFailed, later }: ListRefreshParts): ListRefresh {
  /** Changed, and not read since. */
  const due = new Map<ListKind, PromiseWithResolvers<void>>();
  const readings = new Map<ListKind, Promise<void>>();
  const resting = new Set<ListKind>();

  function begin(what: ListKind): void {
    const wanted = due.get(what);
    if (wanted === undefined || readings.has(what) || resting.has(what)) return;
    due.delete(what);
    const failed = (error: unknown) => onFailed(what, error instanceof Error ? error.message : String(error));
    const reading = read(what)
      .catch(failed)
      .finally(() => {
        readings.delete(what);
        wanted.resolve();
        rest(what);
      });
    readings.set(what, reading);
  }

  function rest(what: ListKind): void {
    resting.add(what);
    later(() => {
      resting.delete(what);
      begin(what);
    }, gapMs);
  }

  return {
    changed(what) {
      if (!due.has(what)) due.set(what, Promise.withResolvers<void>());
      begin(what);
    },
    reading: () => due.values().next().value?.promise ?? readings.values().next().value,
  };
}
