/** Decides how the newest change of memory is taken back. */
import { ledgerFile } from "../directory/store-files.ts";
import type { Undone, UndoOptions } from "../memory-store.ts";
import type { Plan, Undoable } from "./memory-writer.ts";
import { changedSince, type UndoRecord, undoRecordsMax } from "./undo-record.ts";

export function planUndo({ texts, records }: Undoable, { force = false, groups }: UndoOptions = {}): Plan<Undone> {
  const [newest, ...older] = records;
  const isMeant = groups === undefined || (newest?.group !== undefined && groups.includes(newest.group));
  if (newest === undefined || !isMeant) return refused("nothing", "Nothing to undo.");
  const changed = newest.isWhole ? [] : changedSince(newest, texts);
  if (changed.length > 0 && !force) {
    return refused("changed", `Changed since: ${changed.join(", ")}. Add force to undo anyway.`);
  }
  const files = new Map<string, string | null>(Object.entries(newest.files).filter(([path]) => isTopicPath(path)));
  if (newest.isWhole) {
    for (const path of texts.keys()) if (isTopicPath(path) && !files.has(path)) files.set(path, null);
  }
  const entries = new Map([...files.keys()].map((path) => [path, newest.entries[path] ?? null] as const));
  return {
    files,
    entries,
    label: "",
    undo: older,
    result: { ok: true, label: newest.label, paths: [...files.keys()] },
  };
}

/** Everything as it is, so that whatever follows in this group is taken back to here. */
export function planSnapshot(
  { texts, contents, records }: Undoable,
  record: Pick<UndoRecord, "label" | "group" | "at">,
): Plan<void> {
  const topics = [...texts].filter(([path]) => isTopicPath(path));
  const whole: UndoRecord = {
    ...record,
    isWhole: true,
    files: Object.fromEntries(topics),
    after: {},
    entries: Object.fromEntries(topics.map(([path]) => [path, contents.ledger.get(path) ?? null])),
  };
  // Nothing of the topics changes; the ledger is written as it is, together with the record.
  const [first] = contents.ledger;
  const entries = new Map(first === undefined ? [] : [first]);
  return {
    files: new Map(),
    entries,
    label: record.label,
    undo: [whole, ...records].slice(0, undoRecordsMax),
    result: undefined,
  };
}

function refused(reason: "nothing" | "changed", problem: string): Plan<Undone> {
  return { files: new Map(), entries: new Map(), label: "", result: { ok: false, reason, problem } };
}

/** The index is rebuilt, and the ledger follows the files. */
function isTopicPath(path: string): boolean {
  return (
    /^(?:(?:inbox|quarantine)\/)?[\w][\w.-]*\.md$/.test(path) &&
    path !== "MEMORY.md" &&
    path !== "INDEX.full.md" &&
    path !== ledgerFile
  );
}
