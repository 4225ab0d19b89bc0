/** The replication stream: every record of every chain as it is chained, without gap, from a place on. */
import type { JournalRow } from "@kedge/protocol";
import type { EventHub } from "./event-hub.ts";

/** Behind a position, or behind the numbers of sessions that are known. */
export type ReplicationStart = number | ReadonlyMap<string, number>;

/** The names of the fields are part of the published interface. */
export type ReplicatedRow = Omit<JournalRow, "payload"> & {
  readonly position: number;
  readonly sessionId: string;
  readonly payload?: JournalRow["payload"];
};

/** How many rows are read before others get their turn. */
const rowsPerTurn = 256;

/** Rows that are there at once come together; an empty list says that all were given for now. */
export async function* replicate(
  hub: Pick<EventHub, "store" | "moved" | "isClosed">,
  start: ReplicationStart,
  signal: AbortSignal,
): AsyncGenerator<readonly ReplicatedRow[]> {
  const known = typeof start === "number" ? new Map<string, number>() : start;
  let position = typeof start === "number" ? start : await hub.store.positionBefore(start);
  while (!signal.aborted && !hub.isClosed) {
    let rows: ReplicatedRow[] = [];
    for await (const { position: place, sessionId, row } of hub.store.tailRows(position)) {
      if (signal.aborted) return;
      position = place;
      if (row.seq <= (known.get(sessionId) ?? 0)) continue;
      rows.push({ position, sessionId, ...row });
      if (rows.length < rowsPerTurn) continue;
      yield rows;
      rows = [];
      await new Promise((resolve) => setImmediate(resolve));
    }
    yield rows;
    await hub.moved(position, signal);
  }
}
