/** What a server offers: a list is read again when it says that it changed, at once, and not more often than is of use. */
import type { Client } from "@modelcontextprotocol/client";
import type { ListKind } from "./connect-parts.ts";
import { noOffers, type Offers, readOffers } from "./read-offers.ts";

interface CurrentOffers {
  offers(): Offers;
  /** By those of a new connection, or by none; whoever calls tells of it. */
  replace(offers: Offers): void;
  /** The server says so. */
  changed(what: ListKind): void;
  /** Until the lists are read that changed; undefined when none did. */
  reading(): Promise<void> | undefined;
}

export type CurrentOffersParts = {
  /** Undefined while there is no connection. */
  readonly client: () => Client | undefined;
  readonly tell: (what: ListKind) => void;
  readonly onFailed: (what: ListKind, error: string) => void;
  readonly later: (work: () => void, delayMs: number) => () => void;
};

/** A server that tells of changes without end is asked this often. */
const gapMs = 200;

export function createCurrentOffers({ client, tell, onFailed, later }: CurrentOffersParts): CurrentOffers {
  let offers = noOffers;
  /** Changed, and not read since. */
  const due = new Map<ListKind, PromiseWithResolvers<void>>();
  const readings = new Map<ListKind, Promise<void>>();
  const resting = new Set<ListKind>();

  async function read(what: ListKind): Promise<void> {
    const connected = client();
    if (connected === undefined) return;
    offers = await readOffers(connected, { only: what, before: offers });
    tell(what);
  }

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
    offers: () => offers,
    replace(next) {
      offers = next;
    },
    changed(what) {
      if (!due.has(what)) due.set(what, Promise.withResolvers<void>());
      begin(what);
    },
    reading: () => due.values().next().value?.promise ?? readings.values().next().value,
  };
}
