/** What a listing shows of a session, folded from its facts; a pure function, so that it can be rebuilt and compared. */
import { type FactRecord, type SessionSummary, titleOfPrompt } from "@kedge/protocol";
import { recordFromRow, type StoredRow } from "./chain.ts";

export function projectRecord(summary: SessionSummary | undefined, record: FactRecord): SessionSummary {
  const { sessionId, seq, time, fact } = record;
  const base = summary ?? {
    sessionId,
    isArchived: false,
    projectId: "",
    directory: "",
    title: "",
    model: "",
    createdAt: time,
    updatedAt: time,
    lastSeq: 0,
  };
  const now = { updatedAt: time, lastSeq: seq };
  switch (fact.type) {
    case "session.created": {
      const { projectId, directory, model, origin } = fact;
      // An imported session came from a store whose ids mean nothing here.
      const parent = origin === undefined || origin.kind === "import" ? {} : { parentId: origin.sessionId };
      return { ...base, ...now, ...parent, projectId, directory, model };
    }
    case "session.updated":
      return { ...base, ...now, title: fact.title ?? base.title, isArchived: fact.isArchived ?? base.isArchived };
    case "model.changed":
      return { ...base, ...now, model: fact.model };
    case "prompt.admitted":
      return { ...base, ...now, title: base.title === "" ? titleOfPrompt(fact.text) : base.title };
    default:
      return { ...base, ...now };
  }
}

export function projectRows(sessionId: string, rows: Iterable<StoredRow>): SessionSummary | undefined {
  let summary: SessionSummary | undefined;
  for (const row of rows) summary = projectRecord(summary, recordFromRow(sessionId, row));
  return summary;
}

export function sameSummary(left: SessionSummary, right: SessionSummary): boolean {
  return (
    left.sessionId === right.sessionId &&
    left.parentId === right.parentId &&
    left.isArchived === right.isArchived &&
    left.projectId === right.projectId &&
    left.directory === right.directory &&
    left.title === right.title &&
    left.model === right.model &&
    left.createdAt === right.createdAt &&
    left.updatedAt === right.updatedAt &&
    left.lastSeq === right.lastSeq
  );
}
