/** The signatures of the PostgreSQL store, and what vouches for a chain from outside it. */
import type { JournalKey } from "@kedge/protocol";
import type { Head } from "../chain.ts";
import { type ClosedCheck, createClosedCheck } from "../closed-check.ts";
import { isProjectJournal, projectJournalId } from "../project-journal.ts";
import { type HashAt, judgeSignature, maySign, type SignedHead, signHead } from "../signed-head.ts";
import type { StoredSession } from "../verify-chain.ts";
import type { Queries } from "./postgres-connection.ts";
import { findSession, type SessionEntry } from "./postgres-rows.ts";

const sql = {
  signed: 'SELECT seq, hash, key_id AS "keyId", signature FROM kedge.signed_head WHERE session_id = $1',
  save: `INSERT INTO kedge.signed_head (session_id, seq, hash, key_id, signature) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (session_id) DO UPDATE
    SET seq = excluded.seq, hash = excluded.hash, key_id = excluded.key_id, signature = excluded.signature`,
  hash: "SELECT hash FROM kedge.fact WHERE session = $1 AND seq = $2",
  closed: `SELECT f.data FROM kedge.fact f JOIN kedge.session s ON s.key = f.session
    WHERE s.id = $1 AND f.type = 'chain.closed' AND strpos(f.data, $2) > 0 ORDER BY f.seq`,
  ends: `SELECT s.id, f.seq, f.hash FROM unnest($1::text[], $2::bigint[]) AS wanted (id, seq)
    JOIN kedge.session s ON s.id = wanted.id JOIN kedge.fact f ON f.session = s.key AND f.seq = wanted.seq`,
  unlisted: "SELECT id FROM kedge.session WHERE deleted ORDER BY key",
} as const;

/** `load` reads what the check compares with, when all records were followed. */
export type LoadedCheck = { readonly check: ClosedCheck; load(queries: Queries): Promise<void> };

export type SignedHeads = {
  /** With the lock of the chain: signs its end, unless that would hide that somebody else wrote. */
  sign(queries: Queries, sessionId: string): Promise<void>;
  unlisted(queries: Queries): Promise<readonly string[]>;
  vouchers(queries: Queries, entry: SessionEntry): Promise<Pick<StoredSession, "signature" | "closed">>;
};

export function createSignedHeads(key: JournalKey | undefined): SignedHeads {
  async function signedOf(queries: Queries, sessionId: string): Promise<SignedHead | undefined> {
    const [row] = await queries.rows(sql.signed, [sessionId]);
    // The columns are named after the fields.
    return row as SignedHead | undefined;
  }

  /** Only the number that was signed is ever asked for. */
  async function hashAtSigned(queries: Queries, key: number, signed: SignedHead | undefined): Promise<HashAt> {
    const [row] = signed === undefined ? [] : await queries.rows(sql.hash, [key, signed.seq]);
    return () => row?.["hash"] as string | undefined;
  }

  return {
    async sign(queries, sessionId) {
      const entry = key === undefined ? undefined : await findSession(queries, sessionId);
      if (entry === undefined) return;
      const before = await signedOf(queries, sessionId);
      if (!maySign(before, entry.head, await hashAtSigned(queries, entry.key, before))) return;
      const signed = signHead(key, sessionId, entry.head);
      if (signed === undefined) return;
      await queries.rows(sql.save, [sessionId, signed.seq, signed.hash, signed.keyId, signed.signature]);
    },
    unlisted: async (queries) => (await queries.rows(sql.unlisted)).map(({ id }) => id as string),
    async vouchers(queries, { key: sessionKey, summary: { sessionId, projectId }, head }) {
      const closed = await closedEnd(queries, sessionId, projectId);
      const signed = key === undefined ? undefined : await signedOf(queries, sessionId);
      const hashAt = await hashAtSigned(queries, sessionKey, signed);
      return {
        ...(key !== undefined && {
          signature: judgeSignature(sessionId, signed, { key, hashAt, lastSeq: head.seq }),
        }),
        ...(closed !== undefined && { closed }),
      };
    },
  };
}

/** Out of a record that anybody may have changed: what is no head then names no record, and is found by that. */
async function closedEnd(queries: Queries, sessionId: string, projectId: string): Promise<Head | undefined> {
  const rows = await queries.rows(sql.closed, [projectJournalId(projectId), JSON.stringify(sessionId)]);
  for (const { data } of rows) {
    const closed = parsed(String(data));
    if (closed?.["sessionId"] === sessionId) return { seq: Number(closed["lastSeq"]), hash: String(closed["hash"]) };
  }
  return undefined;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** For the journal of a project alone: compares it with the chains that it names. */
export function closedCheckOf(sessionId: string): LoadedCheck | undefined {
  if (!isProjectJournal(sessionId)) return undefined;
  const hashes = new Map<string, string>();
  const check = createClosedCheck((id) => (seq) => hashes.get(`${seq} ${id}`));
  return {
    check,
    async load(queries) {
      const ids = check.ends.map((end) => end.sessionId);
      const seqs = check.ends.map((end) => end.lastSeq);
      for (const { id, seq, hash } of await queries.rows(sql.ends, [ids, seqs]))
        hashes.set(`${seq} ${id}`, String(hash));
    },
  };
}
