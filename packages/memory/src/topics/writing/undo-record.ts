/** What a change of memory needs to be undone: the texts as they were, and what they became. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { digestOf, type LedgerEntry } from "../contents/ledger.ts";
import { undoFile } from "../directory/store-files.ts";

export const undoRecordsMax = 3;

export type UndoRecord = {
  /** What was done, for a person. */
  readonly label: string;
  readonly at: string;
  /** Changes of one group, such as those of one prompt, are undone together. */
  readonly group?: string;
  /** Holds every topic of the directory: one that is not among them is removed. */
  readonly isWhole?: true;
  readonly files: { readonly [path: string]: string | null };
  /** Digests of the texts that the change left. */
  readonly after: { readonly [path: string]: string | null };
  readonly entries: { readonly [path: string]: LedgerEntry | null };
};

/** The newest first. */
export function readUndoRecords(directory: string): readonly UndoRecord[] {
  const records: UndoRecord[] = [];
  for (let number = 1; number <= undoRecordsMax; number++) {
    const record = readRecord(join(directory, undoFile(number)));
    if (record === undefined) break;
    records.push(record);
  }
  return records;
}

/**
 * Every slot, so that a shorter list leaves no old record behind. A file that somebody wrote by hand may contain secrets,
 * and no copy of them is made: undo brings such a file back without them.
 */
export function undoChanges(
  records: readonly UndoRecord[],
  redact: (text: string) => string,
): readonly (readonly [string, string | null])[] {
  return Array.from({ length: undoRecordsMax }, (_, index) => {
    const record = records[index];
    return [undoFile(index + 1), record === undefined ? null : JSON.stringify(redactedRecord(record, redact))] as const;
  });
}

function redactedRecord(record: UndoRecord, redact: (text: string) => string): UndoRecord {
  const files = Object.entries(record.files).map(
    ([path, text]) => [path, text === null ? null : redact(text)] as const,
  );
  return { ...record, files: Object.fromEntries(files) };
}

/** With the newest one where that is of the same group: what was before both stays what is returned to. */
export function withRecord(records: readonly UndoRecord[], record: UndoRecord): readonly UndoRecord[] {
  const [newest, ...older] = records;
  if (newest === undefined || record.group === undefined || newest.group !== record.group) {
    return [record, ...records].slice(0, undoRecordsMax);
  }
  const joined: UndoRecord = {
    ...newest,
    files: { ...record.files, ...newest.files },
    after: { ...newest.after, ...record.after },
    entries: { ...record.entries, ...newest.entries },
  };
  return [joined, ...older];
}

/** Files that somebody else has changed since. */
export function changedSince({ after }: UndoRecord, texts: ReadonlyMap<string, string>): readonly string[] {
  return Object.entries(after)
    .filter(([path, hash]) => {
      const text = texts.get(path);
      return (text === undefined ? null : digestOf(text)) !== hash;
    })
    .map(([path]) => path);
}

function readRecord(path: string): UndoRecord | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    // Not there, or damaged by somebody: then there is nothing to return to.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
  const isRecord = isJsonObject(parsed) && isJsonObject(parsed["files"]) && isJsonObject(parsed["after"]);
  // Written by this module as a whole; what matters of it is checked where it is applied.
  return isRecord ? (parsed as unknown as UndoRecord) : undefined;
}
