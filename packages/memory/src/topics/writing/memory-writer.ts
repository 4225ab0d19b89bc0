/** The one writer of a memory directory: one change after the other, here and between processes, each as a whole. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { activeTopics, type Contents, readContents } from "../contents/contents.ts";
import { fullIndexText, indexText, keptLinesOf } from "../contents/index-file.ts";
import { digestOf, type LedgerEntry, ledgerText } from "../contents/ledger.ts";
import { whileLocked } from "../directory/directory-lock.ts";
import { commitFiles, completePending, emptyFileSet, type FileSet, readFileSet } from "../directory/file-set.ts";
import { makePrivateDirectory } from "../directory/private-files.ts";
import { fullIndexFile, indexFile, ledgerFile, lockFile, recordFolder } from "../directory/store-files.ts";
import { ledgerWith, textsWith } from "./changed-texts.ts";
import { readUndoRecords, type UndoRecord, undoChanges, withRecord } from "./undo-record.ts";

export type WriterParts = {
  readonly directory: string;
  readonly now: () => number;
  /** Unique among all processes; letters and digits. */
  readonly newToken: () => string;
  /** Takes out secrets and marks. */
  readonly clean: (text: string) => string;
  /** Takes out secrets and nothing else. */
  readonly redact: (text: string) => string;
};

/** What a change wants of the files, decided on what they are at that moment. */
export type Plan<Result> = {
  readonly result: Result;
  /** For a person who wants to undo it. */
  readonly label: string;
  readonly group?: string;
  readonly files: ReadonlyMap<string, string | null>;
  /** What the harness knows about those files from now on; null where they are gone. */
  readonly entries: ReadonlyMap<string, LedgerEntry | null>;
  /** Texts before the change where they are no longer on the disk. */
  readonly before?: ReadonlyMap<string, string | null>;
  /** Replaces the list of what can be undone; a record of this change joins it without this. */
  readonly undo?: readonly UndoRecord[];
};

export type Undoable = {
  readonly contents: Contents;
  readonly texts: FileSet["texts"];
  readonly records: readonly UndoRecord[];
};

interface MemoryWriter {
  /** Nothing is written, not even the index, if the plan has neither files nor entries. */
  change<Result>(plan: (now: Undoable) => Plan<Result>): Promise<Result>;
  /** As it is between two changes. A directory that is not there is empty, and is not made. */
  read(): Promise<Undoable>;
  /** Makes both tables of contents again, where there is something to list. */
  reindex(): Promise<void>;
}

export function createMemoryWriter({ directory, now, newToken, clean, redact }: WriterParts): MemoryWriter {
  let last: Promise<unknown> = Promise.resolve();

  /** Whoever comes later waits, whatever became of those before. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  function look(): Undoable & { readonly files: FileSet } {
    const files = readFileSet(directory);
    return { files, contents: readContents(files, clean), texts: files.texts, records: readUndoRecords(directory) };
  }

  function carryOut<Result>(plan: (found: Undoable) => Plan<Result>): Result {
    completePending(directory, newToken);
    const before = look();
    const planned = plan(before);
    const { files, entries } = planned;
    if (files.size === 0 && entries.size === 0) return planned.result;
    const ledger = ledgerWith(before.contents.ledger, entries);
    const texts = textsWith(before.texts, files, ledger);
    const changes = new Map<string, string | null>(files);
    changes.set(ledgerFile, ledgerText(ledger));
    for (const [path, text] of indexTexts(before.contents, { texts, unreadable: before.files.unreadable }, { clean })) {
      if (before.texts.get(path) !== text) changes.set(path, text);
    }
    const records = planned.undo ?? withRecord(before.records, recordOf(planned, before, now()));
    for (const [path, text] of undoChanges(records, redact)) {
      if (text !== null || existsSync(join(directory, path))) changes.set(path, text);
    }
    commitFiles(directory, changes, newToken);
    return planned.result;
  }

  function reindex(): void {
    completePending(directory, newToken);
    const { contents, texts, files } = look();
    const changed = indexTexts(contents, files, { clean, isWhole: true }).filter(
      ([path, text]) => texts.get(path) !== text,
    );
    commitFiles(directory, new Map(changed), newToken);
  }

  const underLock = <Result>(work: () => Result) => whileLocked(join(directory, lockFile), work);

  return {
    change: (plan) =>
      inTurn(async () => {
        makePrivateDirectory(join(directory, recordFolder));
        return underLock(() => carryOut(plan));
      }),
    read: () =>
      inTurn(async () => {
        if (!existsSync(directory))
          return { contents: readContents(emptyFileSet, clean), texts: emptyFileSet.texts, records: [] };
        // Somebody else's folder of notes has no lock, and reading it shall leave no trace.
        return existsSync(join(directory, lockFile)) ? underLock(look) : look();
      }),
    reindex: () =>
      inTurn(async () => {
        if (!existsSync(directory)) return;
        makePrivateDirectory(join(directory, recordFolder));
        await underLock(reindex);
      }),
  };
}

/** A line for a topic that is gone is no line that somebody added; `isWhole` drops those that never had a file too. */
function indexTexts(
  before: Contents,
  files: FileSet,
  { clean, isWhole = false }: { readonly clean: (text: string) => string; readonly isWhole?: boolean },
): readonly (readonly [string, string])[] {
  const contents = readContents(files, clean);
  const slugs = new Set([...before.topics, ...contents.topics].map(({ topic }) => topic.slug));
  const kept = keptLinesOf(before.index && clean(before.index), (slug) => isWhole || slugs.has(slug));
  const topics = activeTopics(contents);
  return [
    [indexFile, indexText(topics, kept)],
    [fullIndexFile, fullIndexText(topics)],
  ];
}

function recordOf(plan: Plan<unknown>, before: Undoable, timeMs: number): UndoRecord {
  const { label, group, files, entries } = plan;
  const paths = [...new Set([...files.keys(), ...entries.keys()])];
  const onDisk = (path: string) => before.texts.get(path) ?? null;
  const textBefore = (path: string) => (plan.before?.has(path) ? (plan.before.get(path) ?? null) : onDisk(path));
  const textAfter = (path: string) => (files.has(path) ? (files.get(path) ?? null) : onDisk(path));
  const digest = (text: string | null) => (text === null ? null : digestOf(text));
  return {
    label,
    at: new Date(timeMs).toISOString(),
    ...(group !== undefined && { group }),
    files: Object.fromEntries(paths.map((path) => [path, textBefore(path)])),
    after: Object.fromEntries(paths.map((path) => [path, digest(textAfter(path))])),
    entries: Object.fromEntries(paths.map((path) => [path, before.contents.ledger.get(path) ?? null])),
  };
}
