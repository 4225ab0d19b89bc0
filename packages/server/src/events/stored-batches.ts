/** Batches of facts from the store, for a follower that is further behind than the log reaches. */
import { frameOfRecord, type Store } from "@kedge/protocol";
import { frameIdOf, type StreamPlace } from "./frame-id.ts";
import { type SentFrame, sentFrame } from "./sent-frame.ts";
import type { SessionPlace } from "./session-places.ts";

export type Batch = readonly SentFrame[];

/** Sent at once, so that many small frames cost one write. */
export const batchCharactersMax = 64 * 1024;

/** How many records are read from the store before others get their turn. */
const recordsPerTurn = 256;

export type StoredBatchesParts = {
  readonly store: Pick<Store, "tail">;
  readonly life: string;
  /** Where a session belongs, or undefined when it does not belong here. */
  readonly placeOf: (sessionId: string) => Promise<SessionPlace | undefined>;
};

export type StoredStretch = {
  /** Of the last event before it. */
  readonly place: StreamPlace;
  /** The position of its last fact. */
  readonly upTo: number;
  readonly sessionId?: string;
  readonly signal: AbortSignal;
  readonly onRead: (position: number) => void;
};

export async function* storedBatches(
  { store, life, placeOf }: StoredBatchesParts,
  { place, upTo, sessionId, signal, onRead }: StoredStretch,
): AsyncGenerator<Batch> {
  let batch: SentFrame[] = [];
  let characters = 0;
  let read = 0;
  for await (const { position, record } of store.tail(place.position, sessionId)) {
    if (signal.aborted || position > upTo) break;
    read += 1;
    if (read % recordsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    const session = await placeOf(record.sessionId);
    onRead(position);
    if (session === undefined) continue;
    const id = frameIdOf({ ...place, position }, life);
    const sent = sentFrame({ id, directory: session.directory, ...frameOfRecord(record) });
    batch.push(sent);
    characters += sent.characters;
    if (characters < batchCharactersMax) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
