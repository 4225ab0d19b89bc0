/** Writes a new database from the records that were found in a damaged one; whatever is made of facts is rebuilt. */
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type Fact, isJsonObject, type JournalKey, type SessionSummary } from "@kedge/protocol";
import { type BlobFiles, blobFiles } from "../blob-files.ts";
import { chainFacts, type Payload, payloadDigest, type RandomBytes, recordFromRow, type StoredRow } from "../chain.ts";
import { isProjectJournal } from "../project-journal.ts";
import { projectRecord } from "../projection.ts";
import { checkHead, type SignedHead } from "../signed-head.ts";
import { spillName } from "../sqlite/fact-rows.ts";
import { createSignedHeads } from "../sqlite/signed-heads.ts";
import { type Connection, createConnection } from "../sqlite/sqlite-connection.ts";
import { sql } from "../sqlite/sqlite-rows.ts";
import { type FoundChain, type FoundFacts, type FoundRow, factAt } from "./find-chains.ts";
import type { PageImages } from "./page-images.ts";
import type { Place } from "./page-rows.ts";

export type RebuildOptions = {
  readonly images: PageImages;
  readonly facts: FoundFacts;
  /** Empty but for its tables. */
  readonly database: DatabaseSync;
  readonly path: string;
  readonly blobsDirectory: string;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly journalKey?: JournalKey;
};

export type Rebuilt = {
  readonly sessions: number;
  readonly records: number;
  readonly recordsLost: number;
  readonly contentsLost: number;
};

export function rebuildDatabase(options: RebuildOptions): Rebuilt {
  const { facts, database, path, blobsDirectory, randomBytes } = options;
  const connection = createConnection(database, path, undefined);
  const files = blobFiles(blobsDirectory, randomBytes);
  const sum = { sessions: 0, records: 0, recordsLost: 0, contentsLost: 0 };
  for (const chain of facts.chains) {
    const kept = connection.write({ durable: false }, () => rebuildSession(chain, options, { connection, files }));
    if (!isProjectJournal(chain.sessionId)) sum.sessions += 1;
    sum.records += chain.places.length;
    sum.recordsLost += chain.recordsLost;
    sum.contentsLost += kept.contentsLost;
  }
  connection.write({ durable: true }, () => {
    for (const { name, bytes } of files.list()) {
      if (!name.endsWith(spillName(""))) connection.run(sql.insertBlob, name, bytes);
    }
  });
  return sum;
}

type Target = { readonly connection: Connection; readonly files: BlobFiles };

function rebuildSession(
  { sessionId, places, recordsLost, signed }: FoundChain,
  { images, now, randomBytes, journalKey }: RebuildOptions,
  { connection, files }: Target,
): { readonly contentsLost: number } {
  const listing = createListing(sessionId, connection);
  const removals = countRemovals(images, places);
  const missing: string[] = [];
  let isDeleted = isProjectJournal(sessionId);
  let isSignedThere = false;
  for (const [index, place] of places.entries()) {
    const found = factAt(images, place, index + 1);
    const times = found.digest === undefined ? 0 : (removals.get(found.digest) ?? 0);
    const isRemoved = times > 0;
    const row = isRemoved ? replacedRow(found, times) : { ...found, payload: payloadOf(found, files) };
    listing.add(row, { isSpilled: found.content === null });
    isSignedThere ||= found.seq === signed?.seq && found.hash === signed.hash;
    if (row.digest !== undefined && row.payload === undefined && !isRemoved) missing.push(row.digest);
    isDeleted ||= found.type === "session.deleted";
  }
  const contents = [...new Set(missing)];
  const closing = closingFacts(recordsLost, contents);
  for (const row of chainFacts(listing.head(), closing, { time: now(), randomBytes })) {
    listing.add(row, { isSpilled: false });
  }
  listing.finish({ isDeleted });
  // What the damage took, the closing record tells, and the next to write signs that. Without damage to explain it, a
  // signed record that is gone was taken by somebody, and its signature is the proof. One that is no signature is damaged.
  const isExplained = isSignedThere || recordsLost === 0;
  if (signed !== undefined && isExplained && !isBroken(signed, sessionId, journalKey)) {
    createSignedHeads(connection, undefined).save(sessionId, signed);
  }
  return { contentsLost: contents.length };
}

function isBroken(signed: SignedHead, sessionId: string, key: JournalKey | undefined): boolean {
  return key !== undefined && checkHead(key, sessionId, signed) === "wrong";
}

/** How often each digest was removed. Looked for first: an old page must not bring back what was removed later. */
function countRemovals(images: PageImages, places: readonly Place[]): ReadonlyMap<string, number> {
  const removals = places
    .map((place, index) => factAt(images, place, index + 1))
    .filter(({ type }) => type === "content.removed");
  const counts = new Map<string, number>();
  for (const { data } of removals) {
    for (const digest of digestsIn(data)) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  }
  return counts;
}

/** What stands in the place of removed content is kept, unless it was removed again: it may lie on an old page then. */
function replacedRow(found: FoundRow, times: number): StoredRow {
  const { content, salt } = found;
  const row = { ...found, payload: undefined };
  const isReplacement = times === 1 && salt === null && typeof content === "string" && isJson(content);
  return isReplacement ? { ...row, replacement: content } : row;
}

/** Nothing in the chain says what a replacement must be; one that cannot be read would make the session unreadable. */
function isJson(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The text matched its hash, so it is what `chainFacts` wrote: digests and nothing else look like this. */
function digestsIn(data: string): readonly string[] {
  return data.match(/(?<=")[0-9a-f]{64}(?=")/g) ?? [];
}

/** What the session itself says about its loss; nothing where nothing was lost. */
function closingFacts(recordsLost: number, contents: readonly string[]): readonly Fact[] {
  const facts: Fact[] = [];
  const by = "kedge";
  if (contents.length > 0) {
    facts.push({ type: "content.removed", digests: contents, reason: "the database was damaged", by });
  }
  if (recordsLost > 0) {
    facts.push({ type: "journal.recovered", what: `the database was damaged; records lost: ${recordsLost}` });
  } else if (contents.length > 0) {
    const what = `the database was damaged; records without their content: ${contents.length}`;
    facts.push({ type: "journal.recovered", what });
  }
  return facts;
}

/** Undefined for what was removed as well as for what cannot be read or is not what it was. */
function payloadOf({ digest, salt, content }: FoundRow, files: BlobFiles): Payload | undefined {
  if (digest === undefined || salt === null) return undefined;
  const text = content === null ? files.read(spillName(digest))?.toString() : content;
  if (typeof text !== "string") return undefined;
  const payload = { salt, content: text };
  return payloadDigest(payload) === digest ? payload : undefined;
}

/** One session on its way into the new database. */
function createListing(sessionId: string, connection: Connection) {
  let key: number | undefined;
  let summary: SessionSummary | undefined;
  let head = { seq: 0, hash: hash("sha256", sessionId) };
  return {
    head: () => head,
    add(row: StoredRow, { isSpilled }: { readonly isSpilled: boolean }) {
      const record = recordFromRow(sessionId, row);
      summary = projectRecord(summary, record);
      head = { seq: row.seq, hash: row.hash };
      key ??= connection.run(sql.insertSession, sessionId, ...columnsOf(summary), row.seq, row.hash);
      const { seq, time, type, version, data, digest, prev, payload, replacement } = row;
      const beside = [payload?.salt ?? null, isSpilled ? null : (payload?.content ?? replacement ?? null)] as const;
      connection.run(sql.insertFact, key, seq, time, type, version, data, digest ?? null, prev, row.hash, ...beside);
    },
    finish({ isDeleted }: { readonly isDeleted: boolean }): void {
      if (key === undefined || summary === undefined) return;
      const [projectId, directory, parentId, archived, title, model, , updated] = columnsOf(summary);
      connection.run(sql.updateSession, title, model, updated, head.seq, head.hash, key);
      connection.run(sql.placeSession, projectId, directory, parentId, archived, key);
      if (isDeleted) connection.run(sql.markDeleted, key);
    },
  };
}

function columnsOf(summary: SessionSummary) {
  const { projectId, directory, parentId, isArchived, title, model, createdAt, updatedAt } = summary;
  const archived = isArchived ? 1 : 0;
  return [projectId, directory, parentId ?? null, archived, title, model, createdAt, updatedAt] as const;
}
