/** The journal of a project: a chain of its own that records how the chains of deleted sessions end. */
import type { Fact } from "@kedge/protocol";
import type { Head } from "./chain.ts";

const idPrefix = "journal_";

export function projectJournalId(projectId: string): string {
  return idPrefix + projectId;
}

/** No session is one: their ids begin otherwise. It is kept like a deleted session, so that nothing lists it. */
export function isProjectJournal(sessionId: string): boolean {
  return sessionId.startsWith(idPrefix);
}

export function chainClosed(sessionId: string, { seq, hash }: Head): Fact {
  return { type: "chain.closed", sessionId, lastSeq: seq, hash };
}
