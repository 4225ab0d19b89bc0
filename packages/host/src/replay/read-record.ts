/** Reads a record from a file: an export of ours, or the facts of a session as JSON lines. Checks its chain first. */
import { checkSchema, type FactRecord, isJsonObject, type JsonSchema } from "@kedge/protocol";
import { checkJournal, type ExportedRow, fieldsOfRow, rowOfRecord } from "../transcripts/journal-row.ts";
import { jsonFormatName, jsonFormatVersion } from "../transcripts/json-export.ts";
import { readFact } from "../transcripts/read-fact.ts";
import type { Divergence } from "./divergence.ts";

export type ReadRecord =
  | {
      readonly ok: true;
      readonly records: readonly FactRecord[];
      /** Secrets were taken out, so that a tool that runs again cannot give the same text. */
      readonly isRedacted: boolean;
      /** The first record that is not as it was written. */
      readonly damage?: Divergence;
    }
  | { readonly ok: false; readonly sentence: string };

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer", minimum: 0 };
const chained = { seq: count, time: count, prev: text, hash: text };
const rowSchema: JsonSchema = {
  type: "object",
  properties: {
    ...chained,
    type: text,
    version: count,
    data: text,
    digest: text,
    payload: { type: "object", properties: { salt: text, content: text }, required: ["content"] },
    altered: { const: true },
  },
  required: ["seq", "time", "prev", "hash", "type", "version", "data"],
};
const recordSchema: JsonSchema = {
  type: "object",
  properties: { ...chained, sessionId: text, fact: { type: "object" }, digest: text, removed: { const: true } },
  required: ["seq", "time", "prev", "hash", "sessionId", "fact"],
};

const notOurs = "Not a kedge export. Create one with kedge session export --format json.";

export function readRecord(file: string): ReadRecord {
  const whole = parse(file);
  if (isJsonObject(whole) && whole["format"] === jsonFormatName) return readExport(whole);
  return readLines(file);
}

type UnknownObject = { readonly [field: string]: unknown };

function readExport(file: UnknownObject): ReadRecord {
  const { version, session, facts, redacted, leftOut } = file;
  if (version !== jsonFormatVersion) {
    const sentence = `This export has version ${JSON.stringify(version)}; this kedge reads version ${jsonFormatVersion}. Export it again.`;
    return { ok: false, sentence };
  }
  if (!isJsonObject(session) || typeof session["sessionId"] !== "string" || !Array.isArray(facts)) {
    return { ok: false, sentence: "The export is incomplete: its session or facts are missing. Export it again." };
  }
  if (Array.isArray(leftOut) && leftOut.length > 0) {
    return {
      ok: false,
      sentence: "The export omits some parts. Export the session completely.",
    };
  }
  const wrong = facts.findIndex((row) => checkSchema(rowSchema, row).length > 0);
  if (wrong !== -1) return { ok: false, sentence: `Record ${wrong + 1} cannot be read. Export the session again.` };
  // Each of them was just found to fit the schema of a row.
  return recordsOfRows(session["sessionId"], facts as readonly ExportedRow[], { isRedacted: redacted === true });
}

/** A torn last line is left out, as after a crash. */
function readLines(file: string): ReadRecord {
  const lines = file.split("\n").filter((line) => line.trim() !== "");
  const records: FactRecord[] = [];
  for (const [index, line] of lines.entries()) {
    const value = parse(line);
    if (value === undefined && index === lines.length - 1 && index > 0) break;
    if (checkSchema(recordSchema, value).length > 0) return { ok: false, sentence: notOurs };
    // It was just found to fit the schema of a record; its fact is read below.
    records.push(value as FactRecord);
  }
  const [first] = records;
  if (first === undefined) return { ok: false, sentence: notOurs };
  return recordsOfRows(first.sessionId, records.map(rowOfRecord), { isRedacted: false });
}

function recordsOfRows(
  sessionId: string,
  rows: readonly ExportedRow[],
  { isRedacted }: { readonly isRedacted: boolean },
): ReadRecord {
  const records: FactRecord[] = [];
  for (const row of rows) {
    const { seq, time, prev, hash, digest, payload } = row;
    const fields = fieldsOfRow(row);
    const isRemoved = digest !== undefined && payload === undefined;
    const read = fields === undefined ? undefined : readFact(fields);
    if (read?.kind !== "fact") {
      const why = read?.kind === "invalid" ? `: ${read.report}` : "";
      return { ok: false, sentence: `Record ${seq} (${row.type}) cannot be read by this version of kedge${why}.` };
    }
    const sealed = { ...(digest !== undefined && { digest }), ...(isRemoved && { removed: true as const }) };
    records.push({ sessionId, seq, time, fact: read.fact, ...sealed, prev, hash });
  }
  const { problem } = checkJournal(sessionId, rows);
  if (problem === undefined) return { ok: true, records, isRedacted };
  const what = `The record was changed after it was written: ${problem.what}.`;
  const damage: Divergence = {
    seq: problem.seq,
    kind: "record",
    what,
    expected: "the record as written",
    got: problem.what,
  };
  return { ok: true, records, isRedacted, damage };
}

/** Undefined when it is no JSON. */
function parse(given: string): unknown {
  try {
    return JSON.parse(given) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
