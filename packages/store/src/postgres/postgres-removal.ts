/** Removes content for good: payloads, blobs that nothing refers to, and everything derived from them. */
import type { AppendOutcome, Fact, RemovalWhy, ThinOutcome } from "@kedge/protocol";
import { chainClosed, projectJournalId } from "../project-journal.ts";
import { type StepFact, supersededSteps } from "../superseded-steps.ts";
import type { Connection, Lock, Queries } from "./postgres-connection.ts";
import type { AppendFacts, PostgresJournal } from "./postgres-journal.ts";
import { findSession, type SessionEntry } from "./postgres-rows.ts";
import type { SignedHeads } from "./signed-heads.ts";
import { dropViews } from "./view-tables.ts";

const sql = {
  payloads: `SELECT pos, digest FROM kedge.fact
    WHERE session = $1 AND digest IS NOT NULL AND (salt IS NOT NULL OR content IS NOT NULL) ORDER BY seq`,
  /** Content without a salt stands in the place of what was removed. */
  remove: `UPDATE kedge.fact f SET salt = NULL, content = gone.replacement
    FROM unnest($1::bigint[], $2::text[]) AS gone (pos, replacement) WHERE f.pos = gone.pos`,
  stepFacts: `SELECT pos, seq, type, data, digest, salt IS NOT NULL OR content IS NOT NULL AS present,
    octet_length(content) AS bytes FROM kedge.fact
    WHERE session = $1 AND type IN ('step.started', 'step.progressed', 'step.ended', 'run.ended') ORDER BY seq`,
  stored: `SELECT sha256 FROM kedge.blob WHERE sha256 IN (SELECT named[1] FROM kedge.fact,
    regexp_matches(data || ' ' || coalesce(content, ''), '[0-9a-f]{64}', 'g') AS named WHERE session = $1)`,
  anyBlob: "SELECT 1 FROM kedge.blob LIMIT 1",
  namedElsewhere: `SELECT sha256 FROM unnest($2::text[]) AS sha256 WHERE EXISTS (SELECT 1 FROM kedge.fact
    WHERE session <> $1 AND (strpos(data, sha256) > 0 OR strpos(content, sha256) > 0))`,
  dropBlobs: "DELETE FROM kedge.blob WHERE sha256 = ANY($1::text[])",
  resetProjection: "DELETE FROM kedge.projection WHERE session = $1",
  followViews: `UPDATE kedge.projection p SET seq = s.last_seq FROM kedge.session s
    WHERE s.key = $1 AND p.session = s.key AND p.seq = $2`,
  markDeleted: "UPDATE kedge.session SET deleted = true WHERE key = $1",
} as const;

/** What was updated or deleted stays in its page until this; it takes the words out of the index as well. */
const settleSql = ["VACUUM kedge.fact", "VACUUM kedge.part", "VACUUM kedge.message", "VACUUM kedge.todo"];

export type Removal = RemovalWhy & { readonly reason: string; readonly replacements?: ReadonlyMap<string, string> };

export type PostgresRemoval = {
  removeContent(sessionId: string, digests: ReadonlySet<string>, removal: Removal): Promise<AppendOutcome>;
  deleteSession(sessionId: string, why: RemovalWhy): Promise<AppendOutcome>;
  thin(sessionId: string, why: RemovalWhy): Promise<ThinOutcome>;
  settle(): Promise<void>;
};

type Present = { readonly pos: number; readonly digest: string };

type Says = {
  readonly append: AppendFacts;
  readonly removal: Removal;
  readonly last: readonly Fact[];
  /** Nothing that is derived was made of this content, or can be. */
  readonly keepsViews?: true;
};

export function createRemoval(
  connection: Connection,
  journal: PostgresJournal,
  signedHeads: SignedHeads,
): PostgresRemoval {
  /** Takes the payloads away, says so in the chain, and has everything derived rebuilt from what is left. */
  async function removePayloads(
    queries: Queries,
    entry: SessionEntry,
    present: readonly Present[],
    says: Says,
  ): Promise<AppendOutcome> {
    const { reason, by, boot, replacements } = says.removal;
    const removed: Fact = { type: "content.removed", digests: present.map(({ digest }) => digest), reason, by };
    const facts = [...(present.length === 0 ? [] : [removed]), ...says.last];
    const outcome = await says.append(entry.summary.sessionId, facts, { boot });
    const last = outcome.ok ? outcome.records.at(-1) : undefined;
    if (last === undefined) return outcome;
    const texts = present.map(({ digest }) => replacements?.get(digest) ?? null);
    await queries.rows(sql.remove, [present.map(({ pos }) => pos), texts]);
    if (says.keepsViews) {
      await queries.rows(sql.followViews, [entry.key, entry.head.seq]);
    } else {
      await dropViews(queries, entry.key);
      await queries.rows(sql.resetProjection, [entry.key]);
      await journal.relist(queries, entry, last.hash);
    }
    await signedHeads.sign(queries, entry.summary.sessionId);
    return outcome;
  }

  async function removeContent(
    sessionId: string,
    digests: ReadonlySet<string>,
    removal: Removal,
  ): Promise<AppendOutcome> {
    const outcome = await journal.change(locksOf(sessionId), async (append, queries) => {
      const entry = await findSession(queries, sessionId);
      if (entry === undefined) return append(sessionId, [], removal);
      const present = (await payloadsOf(queries, entry)).filter(({ digest }) => digests.has(digest));
      return removePayloads(queries, entry, present, { append, removal, last: [] });
    });
    if (outcome.ok && !removal.isOneOfMany) await settle();
    return outcome;
  }

  /** What nobody can change unseen, even where the whole chain of the session is taken away. */
  async function recordEnd(
    queries: Queries,
    append: AppendFacts,
    { summary, head }: SessionEntry,
    boot: string,
  ): Promise<void> {
    const journalId = projectJournalId(summary.projectId);
    const outcome = await append(journalId, [chainClosed(summary.sessionId, head)], { boot });
    const entry = await findSession(queries, journalId);
    if (!outcome.ok || entry === undefined) throw new Error("nobody leases the journal of a project");
    await queries.rows(sql.markDeleted, [entry.key]);
    await signedHeads.sign(queries, journalId);
  }

  async function deleteSession(sessionId: string, { by, boot, isOneOfMany }: RemovalWhy): Promise<AppendOutcome> {
    const projectId = (await findSession(connection, sessionId))?.summary.projectId ?? "";
    const locks = [...locksOf(sessionId), { of: "chain", sessionId: projectJournalId(projectId) } as const];
    const outcome = await journal.change(locks, async (append, queries) => {
      const entry = await findSession(queries, sessionId);
      if (entry === undefined || entry.isDeleted) return append(sessionId, [], { boot });
      const blobs = await ownBlobs(queries, entry.key);
      const removal = { reason: "the session was deleted", by, boot };
      const last: readonly Fact[] = [{ type: "session.deleted", by }];
      const present = await payloadsOf(queries, entry);
      const deleted = await removePayloads(queries, entry, present, { append, removal, last });
      if (!deleted.ok) return deleted;
      if (blobs.length > 0) await queries.rows(sql.dropBlobs, [blobs]);
      await queries.rows(sql.markDeleted, [entry.key]);
      await recordEnd(queries, append, (await findSession(queries, sessionId)) ?? entry, boot);
      return deleted;
    });
    if (outcome.ok && !isOneOfMany) await settle();
    return outcome;
  }

  /** The text of an answer is made of its end; only where a view stopped in the middle of one, it shows pieces. */
  async function thin(sessionId: string, { by, boot }: RemovalWhy): Promise<ThinOutcome> {
    let bytesFreed = 0;
    const outcome = await journal.change(locksOf(sessionId), async (append, queries) => {
      const entry = await findSession(queries, sessionId);
      if (entry === undefined) return { ok: true, records: [], position: 0 };
      const facts = (await queries.rows(sql.stepFacts, [entry.key])).map(stepRow);
      const digests = supersededSteps(facts);
      const pieces = facts.filter(({ digest, isPresent }) => isPresent && digest !== undefined && digests.has(digest));
      // Those found are superseded, and so have a digest.
      const present = pieces.map(({ pos, digest = "" }) => ({ pos, digest }));
      bytesFreed = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
      if (bytesFreed === 0) return { ok: true, records: [], position: 0 };
      const viewed = facts.findLast(({ seq }) => seq <= entry.projected)?.type;
      const isInside = viewed === "step.started" || viewed === "step.progressed";
      const removal = { reason: "the whole answer is stored", by, boot };
      const says = { append, removal, last: [], ...(!isInside && { keepsViews: true as const }) };
      return removePayloads(queries, entry, present, says);
    });
    return outcome.ok ? { ok: true, bytesFreed } : outcome;
  }

  const settle = () => connection.maintain(settleSql);

  return { removeContent, deleteSession, thin, settle };
}

function locksOf(sessionId: string): readonly Lock[] {
  return [
    { of: "chain", sessionId },
    { of: "views", sessionId },
  ];
}

async function payloadsOf(queries: Queries, entry: SessionEntry): Promise<readonly Present[]> {
  const rows = await queries.rows(sql.payloads, [entry.key]);
  return rows.map((row) => ({ pos: row["pos"] as number, digest: row["digest"] as string }));
}

/** Blobs that this session names and no other one does. Reads all facts, but only when it names one at all. */
async function ownBlobs(queries: Queries, key: number): Promise<readonly string[]> {
  if ((await queries.rows(sql.anyBlob)).length === 0) return [];
  const stored = (await queries.rows(sql.stored, [key])).map(({ sha256 }) => sha256);
  if (stored.length === 0) return [];
  const elsewhere = new Set((await queries.rows(sql.namedElsewhere, [key, stored])).map(({ sha256 }) => sha256));
  return stored.filter((sha256) => !elsewhere.has(sha256)).map(String);
}

type StepRow = StepFact & {
  readonly pos: number;
  readonly seq: number;
  readonly isPresent: boolean;
  readonly bytes: number;
};

function stepRow({ pos, seq, type, data, digest, present, bytes }: { readonly [column: string]: unknown }): StepRow {
  // The types of the columns are those of the schema.
  return {
    pos: pos as number,
    seq: seq as number,
    type: type as string,
    stepId: stepIdOf(data as string),
    digest: (digest as string | null) ?? undefined,
    isPresent: present === true,
    bytes: Number(bytes ?? 0),
  };
}

function stepIdOf(data: string): string | undefined {
  try {
    return JSON.parse(data).stepId;
  } catch (error) {
    // Whoever verifies the session is told of it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
