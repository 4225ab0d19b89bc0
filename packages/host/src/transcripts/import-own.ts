/** Reads kedge's own export: checks its journal, takes every fact that has the shape of one, and makes it ours. */
import { checkSchema, isJsonObject, type JsonSchema } from "@kedge/protocol";
import { isDeeperThan } from "../is-deeper-than.ts";
import { createAdopter } from "./adopt-fact.ts";
import { countFacts, createFactList, type FactList } from "./fact-list.ts";
import { timeMax } from "./foreign-fields.ts";
import { createSkipCounter, type ImportOutcome, type ImportParts, type SkipCounter } from "./import-types.ts";
import { checkJournal, type ExportedRow, fieldsOfRow, type JournalCheck } from "./journal-row.ts";
import { jsonFormatName, jsonFormatVersion } from "./json-export.ts";
import { readFact } from "./read-fact.ts";
import { depthMax } from "./read-input.ts";

const recordsMax = 1_000_000;
const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer", minimum: 0 };
const time: JsonSchema = { type: "integer", minimum: 0, maximum: timeMax };
const rowSchema: JsonSchema = {
  type: "object",
  properties: {
    seq: count,
    time,
    type: text,
    version: count,
    data: text,
    digest: text,
    prev: text,
    hash: text,
    payload: { type: "object", properties: { salt: text, content: text }, required: ["content"] },
    altered: { const: true },
  },
  required: ["seq", "time", "type", "version", "data", "prev", "hash"],
};

export function isOwnExport(value: unknown): value is { readonly [field: string]: unknown } {
  return isJsonObject(value) && value["format"] === jsonFormatName;
}

export function importOwn(file: { readonly [field: string]: unknown }, parts: ImportParts): ImportOutcome {
  const { version, session, facts: given, redacted, leftOut } = file;
  if (version !== jsonFormatVersion) {
    const sentence = `This export has version ${JSON.stringify(version)}; this kedge reads version ${jsonFormatVersion}. Export it again.`;
    return { ok: false, sentence };
  }
  if (!isJsonObject(session) || typeof session["sessionId"] !== "string" || !Array.isArray(given)) {
    return { ok: false, sentence: "The export is incomplete: its session or facts are missing. Export it again." };
  }
  if (given.length > recordsMax) {
    return { ok: false, sentence: `The export has ${given.length} records; at most ${recordsMax} can be imported.` };
  }
  const read = readRows(given);
  if (!read.ok) return read;
  const { sessionId } = session;
  const journal = checkJournal(sessionId, read.rows);
  const skipped = createSkipCounter();
  const list = createFactList(parts, { sessionId, time: read.rows[0]?.time ?? parts.now() });
  const problem = adoptRows({ rows: read.rows, list, parts, skipped });
  if (problem !== undefined) return { ok: false, sentence: problem };
  list.close(read.rows.at(-1)?.time ?? parts.now());
  const { facts, times, state } = list;
  const notes = notesOf(journal, {
    isRedacted: redacted === true,
    isPartial: Array.isArray(leftOut) && leftOut.length > 0,
  });
  const report = {
    format: "kedge",
    sourceSessionId: sessionId,
    title: state.title,
    ...countFacts(facts),
    skipped: skipped.list(),
    notes,
    journal,
  } as const;
  return { ok: true, facts, times, report };
}

type Rows =
  | { readonly ok: true; readonly rows: readonly ExportedRow[] }
  | { readonly ok: false; readonly sentence: string };

function readRows(given: readonly unknown[]): Rows {
  for (const [index, row] of given.entries()) {
    const [problem] = checkSchema(rowSchema, row);
    if (problem === undefined) continue;
    const where = problem.path === "" ? "the record" : problem.path;
    const sentence = `Record ${index + 1} cannot be read: ${where} must be ${problem.expected}. Export the session again.`;
    return { ok: false, sentence };
  }
  // Each of them was just found to fit the schema of a row.
  return { ok: true, rows: given as readonly ExportedRow[] };
}

type Adoption = {
  readonly rows: readonly ExportedRow[];
  readonly list: FactList;
  readonly parts: ImportParts;
  readonly skipped: SkipCounter;
};

/** A sentence when the journal cannot become a session. */
function adoptRows({ rows, list, parts, skipped }: Adoption): string | undefined {
  const adopt = createAdopter(parts, skipped);
  for (const row of rows) {
    const fields = fieldsOfRow(row);
    if (fields === undefined || isDeeperThan(fields, depthMax)) {
      skipped.add("unreadable records");
      continue;
    }
    // When its content was removed, a summary stands without what it said must hold.
    const read = readFact(row.type === "context.compacted" ? { boundary: {}, ...fields } : fields);
    if (read.kind === "unknown") {
      skipped.add(`records of the unknown type ${row.type.slice(0, 60)}`);
      continue;
    }
    if (read.kind === "invalid") return `Record ${row.seq} (${row.type}) does not match its type: ${read.report}.`;
    const { fact } = read;
    if (fact.type === "session.deleted") return "This session was deleted. Nothing is left to import.";
    const adopted = adopt(fact);
    if (adopted !== undefined) list.add(adopted, row.time);
  }
  return undefined;
}

function notesOf(
  journal: JournalCheck,
  { isRedacted, isPartial }: { readonly isRedacted: boolean; readonly isPartial: boolean },
): readonly string[] {
  const notes: string[] = [];
  const { problem } = journal;
  if (problem !== undefined) {
    notes.push(
      `The journal fails verification at record ${problem.seq}: ${problem.what}. Do not rely on this session's content.`,
    );
  } else if (journal.unchecked > 0) {
    notes.push(
      `The chain of ${journal.records} records is intact, but ${journal.unchecked} contents could not be verified.`,
    );
  }
  if (isRedacted) notes.push("The export was redacted. The model sees placeholders for the removed content.");
  if (isPartial) notes.push("The export omits some parts.");
  return notes;
}
