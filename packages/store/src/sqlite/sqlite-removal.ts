/** Removes content for good: payloads, their files, blobs that nothing refers to, and everything derived from them. */
import type { AppendOutcome, Fact, RemovalWhy, ThinOutcome } from "@kedge/protocol";
import type { BlobFiles } from "../blob-files.ts";
import { chainClosed, projectJournalId } from "../project-journal.ts";
import { type StepFact, supersededSteps } from "../superseded-steps.ts";
import { spillName } from "./fact-rows.ts";
import type { KeptTexts } from "./kept-texts.ts";
import { createRemovedFiles } from "./removed-files.ts";
import type { SignedHeads } from "./signed-heads.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { AppendFacts, SqliteJournal } from "./sqlite-journal.ts";
import { sql as rowSql, type SessionEntry } from "./sqlite-rows.ts";
import { dropViews } from "./view-writer.ts";

const sql = {
  stepFacts: `SELECT pos, seq, type, CASE WHEN json_valid(data) THEN json_extract(data, '$.stepId') END AS step, digest,
    salt IS NOT NULL OR content IS NOT NULL AS present, octet_length(content) AS bytes FROM fact
    WHERE session = ? AND type IN ('step.started', 'step.progressed', 'step.ended', 'run.ended') ORDER BY seq`,
  followViews: "UPDATE session SET projected = last_seq WHERE key = ? AND projected = ?",
  dropBlob: "DELETE FROM blob WHERE sha256 = ?",
  /** What was deleted stays in the index until its pieces are merged. */
  mergeWords: "INSERT INTO part_text (part_text) VALUES ('optimize')",
} as const;

export type Removal = RemovalWhy & { readonly reason: string; readonly replacements?: ReadonlyMap<string, string> };

export type SqliteRemoval = {
  removeContent(sessionId: string, digests: ReadonlySet<string>, removal: Removal): AppendOutcome;
  deleteSession(sessionId: string, why: RemovalWhy): AppendOutcome;
  thin(sessionId: string, why: RemovalWhy): ThinOutcome;
  /** Merges the index of words and empties the log, so that nothing removed stays behind in either. */
  settle(): void;
};

type Present = { readonly pos: number; readonly digest: string };

type Says = {
  readonly append: AppendFacts;
  readonly removal: Removal;
  readonly last: readonly Fact[];
  /** Nothing that is derived was made of this content, or can be. */
  readonly keepsViews?: true;
};

export type RemovalParts = {
  readonly journal: SqliteJournal;
  readonly signedHeads: SignedHeads;
  readonly keptTexts: KeptTexts;
};

export function createRemoval(
  connection: Connection,
  files: BlobFiles,
  { journal, signedHeads, keptTexts }: RemovalParts,
): SqliteRemoval {
  const removedFiles = createRemovedFiles(connection, files);

  function payloadsOf(entry: SessionEntry): readonly Present[] {
    return connection
      .all(rowSql.payloads, entry.key)
      .map((row) => ({ pos: row["pos"] as number, digest: row["digest"] as string }));
  }

  /** Takes the payloads away, says so in the chain, and has everything derived rebuilt from what is left. */
  function removePayloads(entry: SessionEntry, present: readonly Present[], says: Says): AppendOutcome {
    const { reason, by, boot, replacements } = says.removal;
    const removed: Fact = { type: "content.removed", digests: present.map(({ digest }) => digest), reason, by };
    const facts = [...(present.length === 0 ? [] : [removed]), ...says.last];
    const outcome = says.append(entry.summary.sessionId, facts, { boot });
    const last = outcome.ok ? outcome.records.at(-1) : undefined;
    if (last === undefined) return outcome;
    for (const { pos, digest } of present) connection.run(rowSql.removePayload, replacements?.get(digest) ?? null, pos);
    keptTexts.drop(entry.key);
    if (says.keepsViews) {
      connection.run(sql.followViews, entry.key, entry.head.seq);
    } else {
      dropViews(connection, entry.key);
      connection.run(rowSql.resetProjection, entry.key);
      journal.relist(entry, last.hash);
    }
    signedHeads.sign(entry.summary.sessionId);
    return outcome;
  }

  function removeFiles(sessionId: string, isMeant: (digest: string) => boolean): void {
    const entry = journal.find(sessionId);
    if (entry !== undefined) removedFiles.removePayloads(entry.key, isMeant);
  }

  function settle(): void {
    connection.write({ durable: true }, () => connection.run(sql.mergeWords));
    connection.emptyLog();
  }

  function removeContent(sessionId: string, digests: ReadonlySet<string>, removal: Removal): AppendOutcome {
    const outcome = journal.change((append) => {
      const entry = journal.find(sessionId);
      if (entry === undefined) return append(sessionId, [], removal);
      const present = payloadsOf(entry).filter(({ digest }) => digests.has(digest));
      return removePayloads(entry, present, { append, removal, last: [] });
    });
    if (!outcome.ok) return outcome;
    removeFiles(sessionId, (digest) => digests.has(digest));
    if (!removal.isOneOfMany) settle();
    return outcome;
  }

  /** What nobody can change unseen, even where the whole chain of the session is taken away. */
  function recordEnd(append: AppendFacts, { summary, head }: SessionEntry, boot: string): void {
    const journalId = projectJournalId(summary.projectId);
    const outcome = append(journalId, [chainClosed(summary.sessionId, head)], { boot });
    const entry = journal.find(journalId);
    if (!outcome.ok || entry === undefined) throw new Error("nobody leases the journal of a project");
    connection.run(rowSql.markDeleted, entry.key);
    signedHeads.sign(journalId);
  }

  function deleteSession(sessionId: string, { by, boot, isOneOfMany }: RemovalWhy): AppendOutcome {
    const outcome = journal.change((append) => {
      const entry = journal.find(sessionId);
      if (entry === undefined || entry.isDeleted) return append(sessionId, [], { boot });
      const blobs = removedFiles.ownBlobs(entry.key);
      const removal = { reason: "the session was deleted", by, boot };
      const last: readonly Fact[] = [{ type: "session.deleted", by }];
      const deleted = removePayloads(entry, payloadsOf(entry), { append, removal, last });
      if (!deleted.ok) return deleted;
      for (const sha256 of blobs) connection.run(sql.dropBlob, sha256);
      connection.run(rowSql.markDeleted, entry.key);
      recordEnd(append, journal.find(sessionId) ?? entry, boot);
      return deleted;
    });
    if (!outcome.ok) return outcome;
    removedFiles.sweepBlobs();
    removeFiles(sessionId, () => true);
    if (!isOneOfMany) settle();
    return outcome;
  }

  /** The text of an answer is made of its end; only where a view stopped in the middle of one, it shows pieces. */
  function thin(sessionId: string, { by, boot }: RemovalWhy): ThinOutcome {
    let bytesFreed = 0;
    let spilled: readonly string[] = [];
    const outcome = journal.change((append) => {
      const entry = journal.find(sessionId);
      if (entry === undefined) return { ok: true, records: [], position: 0 };
      const facts = connection.all(sql.stepFacts, entry.key).map(stepRow);
      const digests = supersededSteps(facts);
      const pieces = facts.filter(({ digest, isPresent }) => isPresent && digest !== undefined && digests.has(digest));
      // Those found are superseded, and so have a digest.
      const present = pieces.map(({ pos, digest = "" }) => ({ pos, digest }));
      spilled = pieces.flatMap(({ bytes, digest = "" }) => (bytes === undefined ? [spillName(digest)] : []));
      bytesFreed = pieces.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
      for (const name of spilled) bytesFreed += files.size(name);
      if (bytesFreed === 0) return { ok: true, records: [], position: 0 };
      const viewed = facts.findLast(({ seq }) => seq <= entry.projected)?.type;
      const isInside = viewed === "step.started" || viewed === "step.progressed";
      const removal = { reason: "the whole answer is stored", by, boot };
      return removePayloads(entry, present, { append, removal, last: [], ...(!isInside && { keepsViews: true }) });
    });
    if (!outcome.ok) return outcome;
    for (const name of spilled) files.remove(name);
    return { ok: true, bytesFreed };
  }

  return { removeContent, deleteSession, thin, settle };
}

type StepRow = StepFact & {
  readonly pos: number;
  readonly seq: number;
  readonly isPresent: boolean;
  /** Undefined when the content lies in a file. */
  readonly bytes: number | undefined;
};

function stepRow({ pos, seq, type, step, digest, present, bytes }: { readonly [column: string]: unknown }): StepRow {
  // The types of the columns are those of STRICT tables.
  return {
    pos: pos as number,
    seq: seq as number,
    type: type as string,
    stepId: (step as string | null) ?? undefined,
    digest: (digest as string | null) ?? undefined,
    isPresent: present === 1,
    bytes: (bytes as number | null) ?? undefined,
  };
}
