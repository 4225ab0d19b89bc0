/** The signatures of the SQLite store, what vouches for a chain from outside it, and the journals of projects. */
import type { JournalKey } from "@kedge/protocol";
import type { Head } from "../chain.ts";
import { createClosedCheck } from "../closed-check.ts";
import { isProjectJournal, projectJournalId } from "../project-journal.ts";
import { type HashAt, judgeSignature, maySign, type SignedHead, signHead } from "../signed-head.ts";
import type { StoredSession } from "../verify-chain.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SessionEntry } from "./sqlite-rows.ts";

const sql = {
  signed: "SELECT seq, hash, key_id AS keyId, signature FROM signed_head WHERE session_id = ?",
  save: `INSERT INTO signed_head (session_id, seq, hash, key_id, signature) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE
    SET seq = excluded.seq, hash = excluded.hash, key_id = excluded.key_id, signature = excluded.signature`,
  drop: "DELETE FROM signed_head WHERE session_id = ?",
  hash: "SELECT hash FROM fact WHERE session = (SELECT key FROM session WHERE id = ?) AND seq = ?",
  head: "SELECT last_seq AS seq, head AS hash FROM session WHERE id = ?",
  closed: `SELECT json_extract(data, '$.lastSeq') AS seq, json_extract(data, '$.hash') AS hash FROM fact
    WHERE session = (SELECT key FROM session WHERE id = ?) AND type = 'chain.closed'
    AND CASE WHEN json_valid(data) THEN json_extract(data, '$.sessionId') = ? END LIMIT 1`,
  unlisted: "SELECT id FROM session WHERE deleted = 1 ORDER BY key",
} as const;

export type SignedHeads = {
  /** In a transaction: signs the end of the chain, unless that would hide that somebody else wrote. */
  sign(sessionId: string): void;
  save(sessionId: string, signed: SignedHead): void;
  of(sessionId: string): SignedHead | undefined;
  drop(sessionId: string): void;
  unlisted(): readonly string[];
  vouchers(entry: SessionEntry): Pick<StoredSession, "signature" | "closed" | "derived">;
};

export function createSignedHeads(connection: Connection, key: JournalKey | undefined): SignedHeads {
  const hashesOf = (sessionId: string): HashAt => {
    // Column types here and below are those of STRICT tables, which SQLite itself enforces.
    return (seq) => connection.get(sql.hash, sessionId, seq)?.["hash"] as string | undefined;
  };

  function of(sessionId: string): SignedHead | undefined {
    const row = connection.get(sql.signed, sessionId);
    return row && ({ ...row } as SignedHead);
  }

  function save(sessionId: string, { seq, hash, keyId, signature }: SignedHead): void {
    connection.run(sql.save, sessionId, seq, hash, keyId, signature);
  }

  /** Out of a record that anybody may have changed: what is no head then names no record, and is found by that. */
  function closedEnd(sessionId: string, projectId: string): Head | undefined {
    const row = connection.get(sql.closed, projectJournalId(projectId), sessionId);
    return row && { seq: Number(row["seq"]), hash: String(row["hash"]) };
  }

  return {
    of,
    save,
    drop: (sessionId) => void connection.run(sql.drop, sessionId),
    unlisted: () => connection.all(sql.unlisted).map(({ id }) => id as string),
    sign(sessionId) {
      const row = key === undefined ? undefined : connection.get(sql.head, sessionId);
      if (row === undefined) return;
      const head = { ...row } as Head;
      if (!maySign(of(sessionId), head, hashesOf(sessionId))) return;
      const signed = signHead(key, sessionId, head);
      if (signed !== undefined) save(sessionId, signed);
    },
    vouchers({ summary: { sessionId, projectId }, head }) {
      const hashAt = hashesOf(sessionId);
      const closed = closedEnd(sessionId, projectId);
      return {
        ...(key !== undefined && {
          signature: judgeSignature(sessionId, of(sessionId), { key, hashAt, lastSeq: head.seq }),
        }),
        ...(closed !== undefined && { closed }),
        ...(isProjectJournal(sessionId) && { derived: createClosedCheck(hashesOf) }),
      };
    },
  };
}
