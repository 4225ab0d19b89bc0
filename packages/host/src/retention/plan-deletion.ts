/** Chooses the sessions that a clean-up deletes: only those that somebody asked for, by age, number, size or archive. */
import type { SessionSummary, Store } from "@kedge/protocol";

const dayMs = 24 * 60 * 60 * 1_000;
const sessionsMax = 100_000;

export type DeletionWish = {
  /** All projects without it. */
  readonly projectId?: string;
  readonly olderThanDays?: number;
  /** So many of the newest stay in any case. */
  readonly keep?: number;
  /** Only those that were put away. */
  readonly isArchived?: true;
  /** The oldest go until the rest fits. */
  readonly sizeBytesMax?: number;
};

/** Nothing when nothing was asked for. What was used within the last day stays, whatever its size. */
export async function planDeletion(
  store: Pick<Store, "sessions" | "storageUse">,
  wish: DeletionWish,
  now: number,
): Promise<readonly SessionSummary[]> {
  const { projectId, olderThanDays, keep, isArchived, sizeBytesMax } = wish;
  const isAskedFor = olderThanDays !== undefined || keep !== undefined || isArchived === true;
  if (!isAskedFor && sizeBytesMax === undefined) return [];
  const filter = { limit: sessionsMax, ...(projectId !== undefined && { projectId }) };
  const archived = await store.sessions({ ...filter, isArchived: true });
  const listed = isArchived ? archived : [...(await store.sessions(filter)), ...archived];
  const oldestFirst = listed.toSorted((left, right) => left.updatedAt - right.updatedAt);
  const candidates = oldestFirst.slice(0, Math.max(0, oldestFirst.length - (keep ?? 0)));
  const isOld = ({ updatedAt }: SessionSummary) =>
    olderThanDays === undefined || updatedAt < now - olderThanDays * dayMs;
  const chosen = new Set(isAskedFor ? candidates.filter(isOld) : []);
  if (sizeBytesMax !== undefined) await addUntilFits(chosen, candidates, { store, sizeBytesMax, now });
  return [...chosen];
}

async function addUntilFits(
  chosen: Set<SessionSummary>,
  candidates: readonly SessionSummary[],
  size: { readonly store: Pick<Store, "storageUse">; readonly sizeBytesMax: number; readonly now: number },
): Promise<void> {
  const use = await size.store.storageUse({ largestMax: sessionsMax });
  const bytesOf = new Map(use.largest.map(({ sessionId, bytes }) => [sessionId, bytes]));
  let bytes = use.databaseBytes - use.freeBytes + use.blobBytes;
  for (const { sessionId } of chosen) bytes -= bytesOf.get(sessionId) ?? 0;
  for (const session of candidates) {
    if (bytes <= size.sizeBytesMax || session.updatedAt > size.now - dayMs) return;
    if (chosen.has(session)) continue;
    chosen.add(session);
    bytes -= bytesOf.get(session.sessionId) ?? 0;
  }
}
