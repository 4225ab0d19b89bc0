/** The Store contract in memory: for tests, and for sessions that leave nothing behind. */
import {
  type AppendOptions,
  type AppendOutcome,
  applyRecord,
  type Fact,
  type JournalKey,
  type Store,
} from "@kedge/protocol";
import { journalRow, type RandomBytes, recordFromRow, type StoredRow } from "./chain.ts";
import { chainAppend } from "./chain-append.ts";
import { type IsAlive, lostLease } from "./lease.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { createMemoryLeases } from "./memory-leases.ts";
import { createMemoryRemoval } from "./memory-removal.ts";
import { createMemorySignatures, type MemorySession } from "./memory-signatures.ts";
import { createMemoryTail, type StoredAt } from "./memory-tail.ts";
import { emptyMemoryView, followRecord, type MemoryView, pageOf, searchViews } from "./memory-views.ts";
import { isProjectJournal } from "./project-journal.ts";
import { filterSessions } from "./session-filter.ts";
import { verifyChain } from "./verify-chain.ts";

export type MemoryStoreOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly isAlive: IsAlive;
  /** Takes secrets out of what the search shows. */
  readonly redact?: (text: string) => string;
  /** Without it nothing is signed, and no signature is looked at. */
  readonly journalKey?: JournalKey;
};

export function createMemoryStore(options: MemoryStoreOptions): Store {
  const sessions = new Map<string, MemorySession>();
  const order: StoredAt[] = [];
  const blobs = createMemoryBlobs(sessions, options.now);
  const views = new Map<string, MemoryView>();
  const signatures = createMemorySignatures(sessions, options.journalKey);
  const { of: leaseOf, ...leases } = createMemoryLeases({ ...options, signatures });
  const onRemoved = (sessionId: string) => void views.delete(sessionId);
  const redact = options.redact ?? ((text) => text);

  function appendFacts(
    sessionId: string,
    facts: readonly Fact[],
    { boot, times }: Pick<AppendOptions, "boot" | "times">,
  ): AppendOutcome {
    const lost = lostLease(leaseOf(sessionId), boot);
    if (lost !== undefined) return lost;
    const session = sessions.get(sessionId);
    const { now, randomBytes } = options;
    const { rows, records, next } = chainAppend(sessionId, session, facts, { now, times, randomBytes });
    if (next !== undefined) {
      const kept = session?.rows ?? [];
      kept.push(...rows);
      order.push(...rows.map(({ seq }) => ({ sessionId, seq })));
      const isDeleted = session?.isDeleted ?? isProjectJournal(sessionId);
      sessions.set(sessionId, { rows: kept, ...next, isDeleted });
    }
    return { ok: true, records, position: records.length === 0 ? 0 : order.length };
  }

  function viewOf(sessionId: string): MemoryView {
    const kept = views.get(sessionId) ?? emptyMemoryView(sessionId);
    views.set(sessionId, kept);
    const { rows, isDeleted } = sessions.get(sessionId) ?? { rows: [], isDeleted: false };
    for (const row of isDeleted ? [] : rows.slice(kept.seq)) followRecord(kept, recordFromRow(sessionId, row));
    return kept;
  }

  function rowAt({ sessionId, seq }: StoredAt): StoredRow {
    const row = sessions.get(sessionId)?.rows[seq - 1];
    if (row === undefined) throw new Error(`record ${seq} of ${sessionId} is missing, but records are never deleted`);
    return row;
  }

  return {
    ...createMemoryTail(order, rowAt),
    ...createMemoryRemoval({ sessions, blobs, signatures, append: appendFacts, onRemoved }),
    ...{ putBlob: blobs.putBlob, blob: blobs.blob, collectGarbage: blobs.collectGarbage },
    ...leases,
    append: async (sessionId, facts, given) => appendFacts(sessionId, facts, given),
    async *read(sessionId, afterSeq) {
      const rows = sessions.get(sessionId)?.rows ?? [];
      for (const row of rows.slice(Math.max(afterSeq, 0))) yield recordFromRow(sessionId, row);
    },
    async *rows(sessionId) {
      for (const row of sessions.get(sessionId)?.rows ?? []) yield journalRow(row);
    },
    async fold(state) {
      for (const row of sessions.get(state.sessionId)?.rows ?? []) {
        if (row.seq > state.lastSeq) applyRecord(state, recordFromRow(state.sessionId, row));
      }
    },
    async sessions(filter) {
      const listed = [...sessions.values()].filter(({ isDeleted }) => !isDeleted).map(({ summary }) => summary);
      return filterSessions(listed, filter);
    },
    async session(sessionId) {
      const session = sessions.get(sessionId);
      return session?.isDeleted ? undefined : session?.summary;
    },
    unlistedChains: async () => [...sessions].flatMap(([sessionId, { isDeleted }]) => (isDeleted ? [sessionId] : [])),
    // Whatever could be kept here is in memory already.
    async keepState() {},
    keptView: async () => undefined,
    async sessionView(sessionId) {
      const session = sessions.get(sessionId);
      return session === undefined || session.isDeleted ? undefined : viewOf(sessionId).view.session;
    },
    catchUp: async (sessionId) => void viewOf(sessionId),
    messages: async (sessionId, page) => pageOf(viewOf(sessionId), page),
    async search(query) {
      const searched = Array.from(sessions.values(), ({ summary }) => ({ summary, kept: viewOf(summary.sessionId) }));
      return searchViews(searched, query, redact);
    },
    async storageUse({ largestMax } = { largestMax: 0 }) {
      const rows = [...sessions.values()].flatMap((session) => session.rows);
      const present = [...sessions.values()].filter((session) => !session.isDeleted);
      return {
        databaseBytes: bytesOf(rows),
        freeBytes: 0,
        blobBytes: blobs.bytes(),
        sessions: present.length,
        facts: rows.length,
        filesMissing: 0,
        largest: present
          .map(({ summary: { sessionId, title }, rows }) => ({ sessionId, title, bytes: bytesOf(rows) }))
          .sort((left, right) => right.bytes - left.bytes)
          .slice(0, largestMax),
      };
    },
    signHead: async (sessionId) => signatures.sign(sessionId),
    async verify(sessionId) {
      const session = sessions.get(sessionId);
      return verifyChain(sessionId, session && { ...session, ...signatures.vouchers(session) });
    },
    async close() {},
  };
}

function bytesOf(rows: readonly StoredRow[]): number {
  const sizes = rows.map(
    ({ data, payload, replacement }) => data.length + (payload?.content ?? replacement ?? "").length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
