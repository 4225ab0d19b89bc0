/** The Store contract on a PostgreSQL database, which several machines may share. */
import { hash } from "node:crypto";
import { FailureError, type JournalKey, type SessionState, type Store } from "@kedge/protocol";
import { journalRow, type RandomBytes } from "../chain.ts";
import { sessionOfRecords } from "../damaged-view.ts";
import { applyFactPage, type FoldColumns } from "../fold-page.ts";
import type { IsAlive } from "../lease.ts";
import { failure } from "../storage-failure.ts";
import { createCatchUp } from "./catch-up.ts";
import { createLeases, type SharedClock } from "./leases.ts";
import type { Connection, Queries } from "./postgres-connection.ts";
import { createGarbage } from "./postgres-garbage.ts";
import { createJournal } from "./postgres-journal.ts";
import { createRemoval } from "./postgres-removal.ts";
import { findSession } from "./postgres-rows.ts";
import { listSessions } from "./session-list.ts";
import { createSignedHeads } from "./signed-heads.ts";
import { createTail } from "./tail.ts";
import { verifySession } from "./verify-session.ts";
import { messagesOf, searchParts, sessionOf } from "./view-queries.ts";

const sql = {
  lastStep: "SELECT max(seq) AS seq FROM kedge.fact WHERE session = $1 AND type = 'step.started'",
  count: "SELECT count(*) AS count FROM kedge.fact WHERE session = $1",
  /** A fact that names a tree of the workspace counts for undo, so it is no passing one. */
  fold: `SELECT seq, time, type, data, content FROM kedge.fact WHERE session = $1 AND seq > $2
      AND NOT (seq < $3 AND type IN ('step.progressed', 'tool.started') AND strpos(data, '"snapshot"') = 0)
    ORDER BY seq LIMIT $4`,
  putBlob: `INSERT INTO kedge.blob (sha256, size, stored, bytes) VALUES ($1, $2, $3, $4)
    ON CONFLICT (sha256) DO UPDATE SET stored = excluded.stored`,
  blob: "SELECT bytes FROM kedge.blob WHERE sha256 = $1",
} as const;

/** Each page is a way to the server and back. */
const factsPerPage = 512;

export type StoreParts = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  /** Asked of processes of this machine alone. */
  readonly isAlive: IsAlive;
  /** Names the machine whose processes `isAlive` can see, and no other one. */
  readonly machine: string;
  /** Takes secrets out of what the search keeps and shows. */
  readonly redact?: (text: string) => string;
  /** Without it nothing is signed, and no signature is looked at. */
  readonly journalKey?: JournalKey;
};

export function createPostgresStore(connection: Connection, clock: SharedClock, parts: StoreParts): Store {
  const { now, randomBytes, isAlive, machine, redact = (text) => text, journalKey } = parts;
  const journal = createJournal(connection, { now, randomBytes });
  const signedHeads = createSignedHeads(journalKey);
  const leases = createLeases(connection, signedHeads, { clock, machine, isAlive });
  const removal = createRemoval(connection, journal, signedHeads);
  const garbage = createGarbage(connection, { clock, settle: removal.settle });
  const catchUp = createCatchUp(connection, redact);

  return {
    ...createTail(connection),
    append: (sessionId, facts, options) => journal.append(sessionId, facts, options),
    read: (sessionId, afterSeq) => journal.read(sessionId, afterSeq),
    async *rows(sessionId) {
      for await (const row of journal.rows(sessionId)) yield journalRow(row);
    },
    fold: (state) => connection.read((queries) => foldSession(queries, state)),
    sessions: (filter) => listSessions(connection, filter),
    async session(sessionId) {
      const entry = await findSession(connection, sessionId);
      return entry?.isDeleted ? undefined : entry?.summary;
    },
    unlistedChains: () => signedHeads.unlisted(connection),
    acquireLease: (sessionId, holder) => leases.acquire(sessionId, holder),
    releaseLease: (sessionId, boot) => leases.release(sessionId, boot),
    heldSessions: () => leases.held(),
    async signHead(sessionId) {
      if (journalKey === undefined) return;
      const locks = [{ of: "chain", sessionId }] as const;
      await connection.write({ durable: false, locks }, (queries) => signedHeads.sign(queries, sessionId));
    },
    catchUp: (sessionId) => catchUp.session(sessionId),
    async sessionView(sessionId) {
      await catchUp.session(sessionId);
      return connection.read(async (queries) => {
        const entry = await findSession(queries, sessionId);
        if (entry === undefined || entry.isDeleted) return undefined;
        const session = await sessionOf(queries, entry.key);
        return session === "damaged" ? sessionOfRecords(sessionId, journal.read(sessionId, 0)) : session;
      });
    },
    // Kept folds are as long as all texts of a session, and would come the same way as its facts.
    async keepState() {},
    keptView: async () => undefined,
    async messages(sessionId, page) {
      await catchUp.session(sessionId);
      return connection.read(async (queries) => {
        const entry = await findSession(queries, sessionId);
        return entry === undefined ? { messages: [] } : messagesOf(queries, { sessionId, key: entry.key }, page);
      });
    },
    async search(query) {
      await (query.sessionId === undefined ? catchUp.everything() : catchUp.session(query.sessionId));
      return connection.read((queries) => searchParts(queries, query, redact));
    },
    deleteSession: (sessionId, why) => removal.deleteSession(sessionId, why),
    thin: (sessionId, why) => removal.thin(sessionId, why),
    storageUse: ({ largestMax } = { largestMax: 0 }) => garbage.storageUse(largestMax),
    collectGarbage: (wish) => garbage.collect(wish),
    verify: (sessionId) => connection.read((queries) => verifySession(queries, sessionId, signedHeads)),
    removeContent: (sessionId, digests, why) => removal.removeContent(sessionId, new Set(digests), why),
    async putBlob(bytes) {
      const sha256 = hash("sha256", bytes);
      await connection.write({ durable: true, locks: [] }, (queries) =>
        queries.rows(sql.putBlob, [sha256, bytes.length, clock.now(), Buffer.from(bytes)]),
      );
      return sha256;
    },
    async blob(sha256) {
      const [row] = await connection.rows(sql.blob, [sha256]);
      if (row === undefined) return undefined;
      // The type of the column.
      const bytes = row["bytes"] as Buffer;
      if (hash("sha256", bytes) === sha256) return bytes;
      const recovery = "Restore the table kedge.blob from a backup of the server.";
      throw new FailureError(failure(`The stored file ${sha256} is damaged.`, recovery));
    },
    close: () => connection.close(),
  };
}

/** Content is in its row, or gone. */
function notElsewhere(): undefined {}

async function foldSession(queries: Queries, state: SessionState): Promise<void> {
  const entry = await findSession(queries, state.sessionId);
  if (entry === undefined) return;
  const [[count] = []] = await queries.values(sql.count, [entry.key]);
  // Where a fact is missing, none is left out, so that the fold finds the gap.
  const [[lastStep] = []] = count === entry.head.seq ? await queries.values(sql.lastStep, [entry.key]) : [];
  const passedBefore = Number(lastStep ?? 0);
  const pageAfter = (seq: number) => queries.values(sql.fold, [entry.key, seq, passedBefore, factsPerPage]);
  let page = await pageAfter(state.lastSeq);
  while (page.length > 0) {
    // The server reads the next page while this one is applied.
    const next = page.length < factsPerPage ? Promise.resolve([]) : pageAfter(Number(page.at(-1)?.[0]));
    try {
      // The statement names these columns.
      applyFactPage(state, page as unknown as readonly FoldColumns[], passedBefore, notElsewhere);
    } catch (error) {
      await next.catch(() => undefined);
      throw error;
    }
    page = await next;
  }
}
