/** Checks a stored session: walks its chain, recomputes every hash from the stored text, compares listing and signature. */
import { type FactRecord, isJsonObject, type SessionSummary, type VerifyReport } from "@kedge/protocol";
import { emptyHead, type Head, payloadDigest, recordFromRow, rowHash, type StoredRow } from "./chain.ts";
import { isProjectJournal } from "./project-journal.ts";
import { projectRecord, sameSummary } from "./projection.ts";
import type { JudgedSignature } from "./signed-head.ts";

export type StoredSession = {
  readonly rows: Iterable<StoredRow>;
  readonly head: Head;
  readonly summary: SessionSummary;
  readonly isDeleted: boolean;
  /** Compares whatever else was made of the records. */
  readonly derived?: DerivedCheck;
  /** Absent where the store has no key. */
  readonly signature?: JudgedSignature;
  /** How the chain ended when the session was deleted, as the journal of its project has it. */
  readonly closed?: Head;
};

export type DerivedCheck = {
  /** Takes every record of a chain that is whole so far, in order, with the row it was read from. */
  follow(record: FactRecord, row: StoredRow): void;
  /** What does not agree with the records, if anything, as the end of a sentence. */
  problem(): string | undefined;
};

/** `undefined` stands for a session that the store does not have. */
export function verifyChain(sessionId: string, session: StoredSession | undefined): VerifyReport {
  if (session === undefined) return unknownSession(sessionId);
  const walk = createChainWalk(sessionId, session);
  for (const row of session.rows) if (!walk.follow(row)) break;
  return walk.report();
}

export function unknownSession(sessionId: string): VerifyReport {
  const nothing = { sessionId, valid: false, records: 0, payloadsRemoved: 0, truncated: false };
  return { ...nothing, problem: { seq: 0, what: "no session with this id" } };
}

/** The same for a store that reads its rows a page at a time. */
export type ChainWalk = {
  /** Takes the rows in order; false when one is bad, and then no other one is looked at. */
  follow(row: StoredRow): boolean;
  /** After the last row. `derived` is asked here, and only if nothing else is wrong. */
  report(): VerifyReport;
};

export function createChainWalk(sessionId: string, session: Omit<StoredSession, "rows">): ChainWalk {
  const walk = { sessionId, records: 0, payloadsRemoved: 0, truncated: false };
  const bad = (seq: number, what: string): VerifyReport => ({ ...walk, valid: false, problem: { seq, what } });
  let last = emptyHead(sessionId);
  let summary: SessionSummary | undefined;
  const missing = new Map<string, number>();
  const removed = new Set<string>();
  let isDeleted = isProjectJournal(sessionId);
  let endsAsClosed = session.closed === undefined;
  let broken: VerifyReport | undefined;

  function take(row: StoredRow): VerifyReport | undefined {
    const seq = last.seq + 1;
    if (row.seq !== seq) return bad(seq, "the record is missing");
    if (row.prev !== last.hash) return bad(seq, "the record does not follow the previous one");
    const data = parseData(row.data);
    if (data === undefined) {
      walk.truncated = seq === session.head.seq;
      return bad(seq, walk.truncated ? "the last record is incomplete" : "the record cannot be read");
    }
    const what = rowProblem(row, data["digest"]);
    if (what !== undefined) return bad(seq, what);
    const record = recordFromRow(sessionId, row, data);
    if (record.removed && row.digest !== undefined) missing.set(row.digest, seq);
    if (record.fact.type === "content.removed") for (const digest of record.fact.digests) removed.add(digest);
    if (record.fact.type === "session.deleted") isDeleted = true;
    summary = projectRecord(summary, record);
    session.derived?.follow(record, row);
    last = { seq, hash: row.hash };
    endsAsClosed ||= seq === session.closed?.seq && row.hash === session.closed.hash;
    walk.records += 1;
    return undefined;
  }

  function judgeWhole(): VerifyReport {
    for (const [digest, seq] of missing) {
      if (!removed.has(digest)) return bad(seq, "the content of the record is missing");
      walk.payloadsRemoved += 1;
    }
    if (last.seq < session.head.seq) return bad(last.seq + 1, "records were removed from the end");
    if (last.seq > session.head.seq) return bad(session.head.seq + 1, "the record is not counted in the session");
    if (last.hash !== session.head.hash) return bad(last.seq, "the session points to another last record");
    const { problem } = session.signature ?? {};
    if (problem !== undefined) return { ...bad(problem.seq, problem.what), tampered: true };
    if (isDeleted !== session.isDeleted || (summary !== undefined && !sameSummary(summary, session.summary))) {
      return bad(last.seq, "the session's listing does not match its records");
    }
    if (!endsAsClosed) {
      const what = "the deleted session does not end as the journal of its project says";
      return { ...bad(last.seq, what), tampered: true };
    }
    const differs = session.derived?.problem();
    if (differs !== undefined)
      return { ...bad(last.seq, differs), ...(isProjectJournal(sessionId) && { tampered: true }) };
    return { ...walk, valid: true };
  }

  return {
    follow(row) {
      broken ??= take(row);
      return broken === undefined;
    },
    report: () => withSignature(broken ?? judgeWhole(), session.signature),
  };
}

function withSignature(report: VerifyReport, signature: JudgedSignature | undefined): VerifyReport {
  if (signature === undefined) return report;
  const { state, head } = signature;
  const signed = { ...report, signature: state, ...(head !== undefined && { signedSeq: head.seq }) };
  // What was signed and is gone was not torn off by a crash, however the end looks now.
  const isCutBack = report.truncated && signature.problem !== undefined;
  return isCutBack ? { ...signed, truncated: false, tampered: true, problem: signature.problem } : signed;
}

function parseData(text: string): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return isJsonObject(data) ? data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function rowProblem(row: StoredRow, digest: unknown): string | undefined {
  if (rowHash(row) !== row.hash) return "the record does not match its hash";
  if (digest !== row.digest) return "the record points to other content";
  if (digest !== undefined && row.payload !== undefined && payloadDigest(row.payload) !== digest) {
    return "the content does not match its digest";
  }
  return undefined;
}
