/** The Store contract in memory: for tests, and for sessions that leave nothing behind. */
import { hash } from "node:crypto";
import type { AppendOutcome, Fact, FactRecord, SessionSummary, Store } from "@kedge/protocol";
import {
  chainFacts,
  emptyHead,
  type Head,
  type RandomBytes,
  recordFromRow,
  recordOf,
  type StoredRow,
} from "./chain.ts";
import { type IsAlive, judgeLease, type Lease, leaseMs, lostLease } from "./lease.ts";
import { projectRecord, projectRows } from "./projection.ts";
import { verifyChain } from "./verify-chain.ts";

export type MemoryStoreOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly isAlive: IsAlive;
};

type MemorySession = { rows: StoredRow[]; head: Head; summary: SessionSummary };

export function createMemoryStore(options: MemoryStoreOptions): Store {
  const sessions = new Map<string, MemorySession>();
  const leases = new Map<string, Lease>();
  const blobs = new Map<string, Uint8Array>();

  function appendFacts(sessionId: string, facts: readonly Fact[], boot: string): AppendOutcome {
    const lost = lostLease(leases.get(sessionId), boot);
    if (lost !== undefined) return lost;
    const session = sessions.get(sessionId);
    const rows = chainFacts(session?.head ?? emptyHead(sessionId), facts, {
      time: options.now(),
      randomBytes: options.randomBytes,
    });
    const records: FactRecord[] = [];
    let summary = session?.summary;
    for (const [index, row] of rows.entries()) {
      // The row was made from the fact at the same place.
      const record = recordOf(sessionId, row, facts[index] as Fact);
      summary = projectRecord(summary, record);
      records.push(record);
    }
    const last = rows.at(-1);
    if (last !== undefined && summary !== undefined) {
      const kept = session?.rows ?? [];
      kept.push(...rows);
      sessions.set(sessionId, { rows: kept, head: { seq: last.seq, hash: last.hash }, summary });
    }
    return { ok: true, records };
  }

  return {
    async append(sessionId, facts, { boot }) {
      return appendFacts(sessionId, facts, boot);
    },

    async *read(sessionId, afterSeq) {
      const rows = sessions.get(sessionId)?.rows ?? [];
      for (const row of rows.slice(Math.max(afterSeq, 0))) yield recordFromRow(sessionId, row);
    },

    async sessions({ directory, projectId, limit }) {
      return Array.from(sessions.values(), (session) => session.summary)
        .filter((summary) => directory === undefined || summary.directory === directory)
        .filter((summary) => projectId === undefined || summary.projectId === projectId)
        .reverse()
        .sort((left, right) => right.updatedAt - left.updatedAt)
        .slice(0, limit);
    },

    async session(sessionId) {
      return sessions.get(sessionId)?.summary;
    },

    async acquireLease(sessionId, holder) {
      const now = options.now();
      const outcome = judgeLease(leases.get(sessionId), holder, { now, isAlive: options.isAlive });
      if (outcome.ok) leases.set(sessionId, { holder: { ...holder }, expiresAt: now + leaseMs });
      return outcome;
    },

    async releaseLease(sessionId, boot) {
      if (leases.get(sessionId)?.holder.boot === boot) leases.delete(sessionId);
    },

    async verify(sessionId) {
      return verifyChain(sessionId, sessions.get(sessionId));
    },

    async removeContent(sessionId, digests, { reason, by, boot }) {
      const wanted = new Set(digests);
      const hasContent = (row: StoredRow) =>
        row.digest !== undefined && row.payload !== undefined && wanted.has(row.digest);
      const present = (sessions.get(sessionId)?.rows ?? []).filter(hasContent).map((row) => row.digest as string);
      const facts: readonly Fact[] =
        present.length === 0 ? [] : [{ type: "content.removed", digests: present, reason, by }];
      const outcome = appendFacts(sessionId, facts, boot);
      const session = sessions.get(sessionId);
      if (!outcome.ok || session === undefined) return outcome;
      session.rows = session.rows.map((row) => (hasContent(row) ? { ...row, payload: undefined } : row));
      // A title taken from a removed prompt must go with it.
      session.summary = projectRows(sessionId, session.rows) ?? session.summary;
      return outcome;
    },

    async putBlob(bytes) {
      const sha256 = hash("sha256", bytes);
      if (!blobs.has(sha256)) blobs.set(sha256, Uint8Array.from(bytes));
      return sha256;
    },

    async blob(sha256) {
      const bytes = blobs.get(sha256);
      return bytes && Uint8Array.from(bytes);
    },

    async close() {},
  };
}
