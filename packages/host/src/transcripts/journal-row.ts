/** The records of a session as they stand in an export: made from facts, turned back into facts, and checked. */
import { hash } from "node:crypto";
import { canonicalJson, type FactRecord, isJsonObject, type JournalRow, sealedFields } from "@kedge/protocol";

/** The version of the fact schema that records carry. */
const factVersion = 1;

/** One chained record, as an export has it. */
export type ExportedRow = JournalRow & {
  /** Something in `data` was redacted for the export, so that it no longer gives the hash. */
  readonly altered?: true;
};

/** A record without its salt, for stores that do not give it. */
export function rowOfRecord({ seq, time, fact, digest, prev, hash }: FactRecord): ExportedRow {
  const sealedNames: readonly string[] = sealedFields[fact.type];
  const data: Record<string, unknown> = digest === undefined ? {} : { digest };
  const sealed: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fact)) {
    if (field === "type" || value === undefined) continue;
    const isSealed = digest !== undefined && sealedNames.includes(field) && !isEmpty(value);
    if (!isSealed) {
      data[field] = value;
      continue;
    }
    sealed[field] = value;
    if (typeof value === "string") data[field] = "";
    else if (Array.isArray(value)) data[field] = [];
  }
  const row = { seq, time, type: fact.type, version: factVersion, data: canonicalJson(data), prev, hash };
  if (digest === undefined) return row;
  return Object.keys(sealed).length === 0
    ? { ...row, digest }
    : { ...row, digest, payload: { content: JSON.stringify(sealed) } };
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

/** The fields of the fact with its type, unchecked; undefined when the texts are no JSON objects. */
export function fieldsOfRow(row: ExportedRow): { readonly [field: string]: unknown } | undefined {
  const data = parseObject(row.data);
  const content = row.payload === undefined ? {} : parseObject(row.payload.content);
  if (data === undefined || content === undefined) return undefined;
  const { digest: _, ...open } = data;
  return { ...open, ...content, type: row.type };
}

export function parseObject(text: string): { readonly [field: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export type JournalCheck = {
  readonly valid: boolean;
  readonly records: number;
  /** Contents that were compared with their digest. */
  readonly contentsChecked: number;
  /** Contents and records that carry nothing to compare them with, because the export was redacted or has no salts. */
  readonly unchecked: number;
  readonly contentsRemoved: number;
  /** The first bad record. */
  readonly problem?: { readonly seq: number; readonly what: string };
};

/** Walks the chain from the id of the session on; stops at the first record that does not hold. */
export function checkJournal(sessionId: string, rows: Iterable<ExportedRow>): JournalCheck {
  const counts = { records: 0, contentsChecked: 0, unchecked: 0, contentsRemoved: 0 };
  let last = { seq: 0, hash: hash("sha256", sessionId) };
  for (const row of rows) {
    const what = rowProblem(row, last);
    if (what !== undefined) return { ...counts, valid: false, problem: { seq: last.seq + 1, what } };
    counts.records += 1;
    if (row.altered) counts.unchecked += 1;
    if (row.digest !== undefined && row.payload === undefined) counts.contentsRemoved += 1;
    if (row.payload !== undefined) counts[row.payload.salt === undefined ? "unchecked" : "contentsChecked"] += 1;
    last = { seq: row.seq, hash: row.hash };
  }
  return { ...counts, valid: true };
}

function rowProblem(row: ExportedRow, last: { readonly seq: number; readonly hash: string }): string | undefined {
  if (row.seq !== last.seq + 1) return "the record is missing";
  if (row.prev !== last.hash) return "the record does not follow the previous one";
  const data = parseObject(row.data);
  if (data === undefined) return "the record cannot be read";
  if (!row.altered && rowHash(row) !== row.hash) return "the record does not match its hash";
  if (data["digest"] !== row.digest) return "the record points to other content";
  const { digest, payload } = row;
  if (payload === undefined) return undefined;
  if (digest === undefined) return "the record has unknown content";
  if (payload.salt !== undefined && hash("sha256", payload.salt + payload.content) !== digest) {
    return "the content does not match its digest";
  }
  return undefined;
}

/** The same text that stores hash: the hash before, and the canonical JSON of the record, whose `data` is canonical. */
function rowHash({ prev, data, seq, time, type, version }: ExportedRow): string {
  const record = `{"data":${data},"seq":${seq},"time":${time},"type":${JSON.stringify(type)},"version":${version}}`;
  return hash("sha256", prev + record);
}
