/** The Store contract in memory: for tests, and for sessions that leave nothing behind. */
import { hash } from "node:crypto";
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
import { type IsAlive, isHeld, judgeLease, type Lease, leaseMs, lostLease } from "./lease.ts";
import { createMemorySignatures, type MemorySession } from "./memory-signatures.ts";
import { createMemoryTail, type StoredAt } from "./memory-tail.ts";
import { emptyMemoryView, followRecord, type MemoryView, pageOf, searchViews } from "./memory-views.ts";
import { chainClosed, isProjectJournal, projectJournalId } from "./project-journal.ts";
import { projectRows } from "./projection.ts";
import { filterSessions } from "./session-filter.ts";
import { supersededSteps } from "./superseded-steps.ts";
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
  const leases = new Map<string, Lease>();
  const blobs = new Map<string, { readonly bytes: Uint8Array; readonly storedAt: number }>();
  const views = new Map<string, MemoryView>();
  const signatures = createMemorySignatures(sessions, options.journalKey);
  const redact = options.redact ?? ((text) => text);

  function appendFacts(
    sessionId: string,
    facts: readonly Fact[],
    { boot, times }: Pick<AppendOptions, "boot" | "times">,
  ): AppendOutcome {
    const lost = lostLease(leases.get(sessionId), boot);
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

  function isPresent(row: StoredRow, digests: ReadonlySet<string>): boolean {
    const content = row.payload?.content ?? row.replacement;
    return row.digest !== undefined && content !== undefined && digests.has(row.digest);
  }

  function remove(
    sessionId: string,
    digests: ReadonlySet<string>,
    says: Parameters<Store["removeContent"]>[2] & { readonly last: readonly Fact[] },
  ): AppendOutcome {
    const { reason, by, boot, last } = says;
    const rows = sessions.get(sessionId)?.rows ?? [];
    const present = rows.filter((row) => isPresent(row, digests)).flatMap(({ digest }) => digest ?? []);
    const removed: Fact = { type: "content.removed", digests: present, reason, by };
    const outcome = appendFacts(sessionId, [...(present.length === 0 ? [] : [removed]), ...last], { boot });
    const session = sessions.get(sessionId);
    if (!outcome.ok || session === undefined) return outcome;
    session.rows = session.rows.map((row) => (isPresent(row, digests) ? withoutPayload(row, says.replacements) : row));
    // A title taken from a removed prompt must go with it.
    session.summary = projectRows(sessionId, session.rows) ?? session.summary;
    views.delete(sessionId);
    signatures.sign(sessionId);
    return outcome;
  }

  function mentions(sessionId: string): ReadonlySet<string> {
    const rows = sessions.get(sessionId)?.rows ?? [];
    const texts = rows.map((row) => `${row.data} ${row.payload?.content ?? row.replacement ?? ""}`);
    const named = texts.flatMap((text) => Array.from(text.matchAll(/[0-9a-f]{64}/g), ([sha256]) => sha256));
    return new Set(named.filter((sha256) => blobs.has(sha256)));
  }

  function rowAt({ sessionId, seq }: StoredAt): StoredRow {
    const row = sessions.get(sessionId)?.rows[seq - 1];
    if (row === undefined) throw new Error(`record ${seq} of ${sessionId} is gone, but records are never deleted`);
    return row;
  }

  return {
    ...createMemoryTail(order, rowAt),

    async append(sessionId, facts, given) {
      return appendFacts(sessionId, facts, given);
    },

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
      const listed = [...sessions.values()].filter((session) => !session.isDeleted);
      return filterSessions(
        listed.map((session) => session.summary),
        filter,
      );
    },

    async session(sessionId) {
      const session = sessions.get(sessionId);
      return session?.isDeleted ? undefined : session?.summary;
    },

    async unlistedChains() {
      return [...sessions].flatMap(([sessionId, { isDeleted }]) => (isDeleted ? [sessionId] : []));
    },

    // Whatever could be kept here is in memory already.
    async keepState() {},

    async keptView() {
      return undefined;
    },

    async sessionView(sessionId) {
      const session = sessions.get(sessionId);
      return session === undefined || session.isDeleted ? undefined : viewOf(sessionId).view.session;
    },

    async catchUp(sessionId) {
      viewOf(sessionId);
    },

    async messages(sessionId, page) {
      return pageOf(viewOf(sessionId), page);
    },

    async search(query) {
      const searched = Array.from(sessions.values(), ({ summary }) => ({ summary, kept: viewOf(summary.sessionId) }));
      return searchViews(searched, query, redact);
    },

    async deleteSession(sessionId, { by, boot }) {
      const session = sessions.get(sessionId);
      if (session === undefined || session.isDeleted) return appendFacts(sessionId, [], { boot });
      const named = mentions(sessionId);
      const digests = new Set(session.rows.flatMap((row) => row.digest ?? []));
      const last: readonly Fact[] = [{ type: "session.deleted", by }];
      const outcome = remove(sessionId, digests, { reason: "the session was deleted", by, boot, last });
      const left = sessions.get(sessionId);
      if (!outcome.ok || left === undefined) return outcome;
      left.isDeleted = true;
      const journalId = projectJournalId(left.summary.projectId);
      appendFacts(journalId, [chainClosed(sessionId, left.head)], { boot });
      signatures.sign(journalId);
      const others = new Set([...sessions.keys()].flatMap((other) => [...mentions(other)]));
      for (const sha256 of named) if (!others.has(sha256)) blobs.delete(sha256);
      return outcome;
    },

    async thin(sessionId, { by, boot }) {
      const rows = sessions.get(sessionId)?.rows ?? [];
      const digests = supersededSteps(
        rows.map(({ type, data, digest }) => ({ type, stepId: JSON.parse(data).stepId, digest })),
      );
      const contents = rows.flatMap((row) =>
        isPresent(row, digests) ? (row.payload?.content ?? row.replacement ?? []) : [],
      );
      const bytesFreed = contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0);
      if (bytesFreed === 0) return { ok: true, bytesFreed };
      const outcome = remove(sessionId, digests, { reason: "the whole answer is stored", by, boot, last: [] });
      return outcome.ok ? { ok: true, bytesFreed } : outcome;
    },

    async storageUse({ largestMax } = { largestMax: 0 }) {
      const rows = [...sessions.values()].flatMap((session) => session.rows);
      const present = [...sessions.values()].filter((session) => !session.isDeleted);
      return {
        databaseBytes: bytesOf(rows),
        freeBytes: 0,
        blobBytes: [...blobs.values()].reduce((sum, { bytes }) => sum + bytes.length, 0),
        sessions: present.length,
        facts: rows.length,
        filesMissing: 0,
        largest: present
          .map(({ summary: { sessionId, title }, rows }) => ({ sessionId, title, bytes: bytesOf(rows) }))
          .sort((left, right) => right.bytes - left.bytes)
          .slice(0, largestMax),
      };
    },

    async collectGarbage({ graceMs, isDryRun }) {
      const named = new Set([...sessions.keys()].flatMap((sessionId) => [...mentions(sessionId)]));
      const unnamed = [...blobs].filter(
        ([sha256, { storedAt }]) => !named.has(sha256) && options.now() - storedAt > graceMs,
      );
      if (!isDryRun) for (const [sha256] of unnamed) blobs.delete(sha256);
      const bytesFreed = unnamed.reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
      return { files: unnamed.length, bytesFreed };
    },

    async acquireLease(sessionId, holder) {
      const now = options.now();
      const outcome = judgeLease(leases.get(sessionId), holder, { now, isAlive: options.isAlive });
      if (outcome.ok) leases.set(sessionId, { holder: { ...holder }, expiresAt: now + leaseMs });
      return outcome;
    },

    async releaseLease(sessionId, boot) {
      if (leases.get(sessionId)?.holder.boot !== boot) return;
      signatures.sign(sessionId);
      leases.delete(sessionId);
    },

    async signHead(sessionId) {
      signatures.sign(sessionId);
    },

    async heldSessions() {
      const world = { now: options.now(), isAlive: options.isAlive };
      return [...leases].flatMap(([sessionId, lease]) => (isHeld(lease, world) ? sessionId : [])).sort();
    },

    async verify(sessionId) {
      const session = sessions.get(sessionId);
      return verifyChain(sessionId, session && { ...session, ...signatures.vouchers(session) });
    },

    async removeContent(sessionId, digests, why) {
      return remove(sessionId, new Set(digests), { ...why, last: [] });
    },

    async putBlob(bytes) {
      const sha256 = hash("sha256", bytes);
      blobs.set(sha256, { bytes: Uint8Array.from(bytes), storedAt: options.now() });
      return sha256;
    },

    async blob(sha256) {
      const bytes = blobs.get(sha256)?.bytes;
      return bytes && Uint8Array.from(bytes);
    },

    async close() {},
  };
}

function withoutPayload(row: StoredRow, replacements: ReadonlyMap<string, string> | undefined): StoredRow {
  const { replacement: _, ...bare } = row;
  const replacement = row.digest === undefined ? undefined : replacements?.get(row.digest);
  return { ...bare, payload: undefined, ...(replacement !== undefined && { replacement }) };
}

function bytesOf(rows: readonly StoredRow[]): number {
  const sizes = rows.map(
    ({ data, payload, replacement }) => data.length + (payload?.content ?? replacement ?? "").length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
