/** The signatures of the store in memory, and what vouches for its chains. */
import type { JournalKey, SessionSummary } from "@kedge/protocol";
import { type Head, recordFromRow, type StoredRow } from "./chain.ts";
import { createClosedCheck } from "./closed-check.ts";
import { isProjectJournal, projectJournalId } from "./project-journal.ts";
import { type HashAt, judgeSignature, maySign, type SignedHead, signHead } from "./signed-head.ts";
import type { StoredSession } from "./verify-chain.ts";

export type MemorySession = { rows: StoredRow[]; head: Head; summary: SessionSummary; isDeleted: boolean };

export type MemorySignatures = {
  /** Signs the end of the chain, unless that would hide that somebody else wrote. */
  sign(sessionId: string): void;
  vouchers(session: MemorySession): Pick<StoredSession, "signature" | "closed" | "derived">;
};

export function createMemorySignatures(
  sessions: ReadonlyMap<string, MemorySession>,
  key: JournalKey | undefined,
): MemorySignatures {
  const signedHeads = new Map<string, SignedHead>();
  const hashesOf = (sessionId: string): HashAt => {
    return (seq) => sessions.get(sessionId)?.rows[seq - 1]?.hash;
  };

  function closedEnd(sessionId: string, projectId: string): Head | undefined {
    for (const row of sessions.get(projectJournalId(projectId))?.rows ?? []) {
      const { fact } = recordFromRow("", row);
      if (fact.type === "chain.closed" && fact.sessionId === sessionId) return { seq: fact.lastSeq, hash: fact.hash };
    }
    return undefined;
  }

  return {
    sign(sessionId) {
      const head = sessions.get(sessionId)?.head;
      if (head === undefined || !maySign(signedHeads.get(sessionId), head, hashesOf(sessionId))) return;
      const signed = signHead(key, sessionId, head);
      if (signed !== undefined) signedHeads.set(sessionId, signed);
    },
    vouchers({ head, summary: { sessionId, projectId } }) {
      const closed = closedEnd(sessionId, projectId);
      const world = { hashAt: hashesOf(sessionId), lastSeq: head.seq };
      return {
        ...(key !== undefined && {
          signature: judgeSignature(sessionId, signedHeads.get(sessionId), { key, ...world }),
        }),
        ...(closed !== undefined && { closed }),
        ...(isProjectJournal(sessionId) && { derived: createClosedCheck(hashesOf) }),
      };
    },
  };
}
