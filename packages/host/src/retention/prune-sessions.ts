/** Cleans up what sessions left behind: thins, collects, and deletes only what was asked for. */
import {
  type CleanupOutcome,
  FailureError,
  type Garbage,
  type LeaseHolder,
  type SessionSummary,
  type SnapshotCleanup,
  type Store,
} from "@kedge/protocol";
import { type DeletionWish, planDeletion } from "./plan-deletion.ts";
import { type RemovedFiles, type RemovedFolders, removeLeftArtifacts, removeLeftTranscripts } from "./session-place.ts";

/** Longer than any process waits between storing a file and naming it. */
const graceMs = 60 * 60 * 1_000;
const sessionsMax = 100_000;

export type PruneParts = {
  readonly store: Store;
  readonly holder: LeaseHolder;
  readonly now: () => number;
  /** kedge's own directory. */
  readonly home: string;
  readonly artifactsDirectory: string;
  /** Those of this workspace, with every tree pinned that a session of it needs. */
  readonly pinnedSnapshots: () => Promise<SnapshotCleanup>;
  readonly sessionDeleted: (sessionId: string) => Promise<void>;
};

export type PruneWish = DeletionWish & {
  /**
   * Also thins, and rewrites the database, which takes a second per 100 MB. Thinning by itself frees nothing: what
   * it removes lies between what is kept, and the record of the removal comes on top.
   */
  readonly isThorough: boolean;
  /** Says what would be deleted and removed, and does nothing. */
  readonly isDryRun: boolean;
};

export type PruneReport = {
  readonly isDryRun: boolean;
  readonly deleted: readonly Pick<SessionSummary, "sessionId" | "title" | "updatedAt">[];
  /** To be deleted as well, but in use now. */
  readonly inUse: readonly string[];
  readonly thinned: { readonly sessions: number; readonly bytesFreed: number };
  readonly garbage: Garbage;
  readonly artifacts: RemovedFolders;
  readonly transcripts: RemovedFiles;
  readonly snapshots: CleanupOutcome & { readonly bytesFreed: number };
};

export async function pruneSessions(parts: PruneParts, wish: PruneWish): Promise<PruneReport> {
  const { store, home, artifactsDirectory } = parts;
  const { isDryRun, isThorough } = wish;
  const planned = await planDeletion(store, wish, parts.now());
  const inUse: string[] = [];
  if (!isDryRun) {
    for (const { sessionId } of planned) if (!(await deleteOne(sessionId, parts))) inUse.push(sessionId);
  }
  const deleted = planned
    .filter(({ sessionId }) => !inUse.includes(sessionId))
    .map(({ sessionId, title, updatedAt }) => ({ sessionId, title, updatedAt }));
  return {
    isDryRun,
    deleted,
    inUse,
    thinned: isDryRun || !isThorough ? { sessions: 0, bytesFreed: 0 } : await thinAll(parts),
    garbage: await store.collectGarbage({ graceMs, isDryRun, isThorough }),
    artifacts: await removeLeftArtifacts(store, artifactsDirectory, { isDryRun }),
    transcripts: await removeLeftTranscripts(store, home, { isDryRun, unfinishedBefore: parts.now() - graceMs }),
    snapshots: isDryRun ? { kind: "skipped", bytesFreed: 0 } : await cleanSnapshots(parts),
  };
}

async function deleteOne(sessionId: string, { store, holder, sessionDeleted }: PruneParts): Promise<boolean> {
  const lease = await store.acquireLease(sessionId, holder);
  if (!lease.ok) return false;
  try {
    const why = { by: "user", boot: holder.boot, isOneOfMany: true } as const;
    const outcome = await store.deleteSession(sessionId, why);
    if (outcome.ok) await sessionDeleted(sessionId);
    return outcome.ok;
  } finally {
    await store.releaseLease(sessionId, holder.boot);
  }
}

/** One that is in use refuses by itself. */
async function thinAll({ store, holder }: PruneParts): Promise<PruneReport["thinned"]> {
  let sessions = 0;
  let bytesFreed = 0;
  const archived = await store.sessions({ limit: sessionsMax, isArchived: true });
  for (const { sessionId } of [...(await store.sessions({ limit: sessionsMax })), ...archived]) {
    const outcome = await store.thin(sessionId, { by: "user", boot: holder.boot });
    if (!outcome.ok || outcome.bytesFreed === 0) continue;
    sessions += 1;
    bytesFreed += outcome.bytesFreed;
  }
  return { sessions, bytesFreed };
}

async function cleanSnapshots({ pinnedSnapshots, now }: PruneParts): Promise<PruneReport["snapshots"]> {
  try {
    const snapshots = await pinnedSnapshots();
    const before = await snapshots.sizeBytes();
    const outcome = await snapshots.cleanup({ now: now() });
    return { ...outcome, bytesFreed: Math.max(0, before - (await snapshots.sizeBytes())) };
  } catch (error) {
    // Where snapshots are off there is nothing to clean up, and the rest is done all the same.
    if (!(error instanceof FailureError)) throw error;
    return { kind: "failed", why: error.failure.message, bytesFreed: 0 };
  }
}
