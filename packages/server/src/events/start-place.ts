/** Where a stream begins: what a client says it has seen, and what of it this hub can go on from. */
import type { FollowOptions, Store } from "@kedge/protocol";
import type { EventLog } from "./event-log.ts";
import type { FollowerStart } from "./follower.ts";
import { parseFrameId, type StreamPlace } from "./frame-id.ts";

/** What whoever follows may ask for. */
export type HubFollowOptions = FollowOptions & {
  /** A number of the session, in the place of the id of a frame. */
  readonly afterSeq?: number;
  /** With the other names of view events. */
  readonly hasAliases?: boolean;
};

type Hub = {
  readonly store: Pick<Store, "positionOf">;
  readonly log: EventLog;
  readonly life: string;
  readonly newest: () => StreamPlace;
};

export type StartPlace = Pick<FollowerStart, "place" | "seen" | "isExact" | "isResync" | "knowsAll">;

/** Facts go on from wherever the client was. Signals and view events go on only where none of them is missing. */
export async function startOf(options: HubFollowOptions, { store, log, life, newest }: Hub): Promise<StartPlace> {
  const { after, sessionId, afterSeq, view } = options;
  const fresh = { isExact: true, isResync: false, knowsAll: false };
  const missing = { isExact: false, isResync: true, knowsAll: false };
  if (after !== undefined) {
    const seen = parseFrameId(after);
    if (seen === undefined) return { place: newest(), ...missing };
    const isHere = seen.life === life && seen.number >= log.lost.number && seen.number <= newest().number;
    const place = { position: Math.min(seen.position, newest().position), number: seen.number };
    return { place, seen: after, ...(isHere ? { isExact: true, isResync: false, knowsAll: true } : missing) };
  }
  if (sessionId === undefined || afterSeq === undefined) return { place: newest(), ...fresh };
  const position = await store.positionOf(sessionId, afterSeq);
  const last = await store.positionOf(sessionId, Number.MAX_SAFE_INTEGER);
  // Facts are read from the store; view events of what happened before are made by nobody.
  return {
    place: { ...newest(), position },
    isExact: false,
    isResync: view === "parts" && position < last,
    knowsAll: false,
  };
}
