/** Undo and redo: puts files and conversation back to before a prompt, and forward again. Recorded before it happens. */
import type { Failure, FileChange, Restore, SessionState, Snapshots, UndoPoint } from "@kedge/protocol";
import type { Journal } from "./journal.ts";

export type Undone =
  | { readonly ok: true; readonly promptText: string; readonly files: readonly FileChange[] }
  | { readonly ok: false; readonly failure: Failure };

export type Redone =
  | { readonly ok: true; readonly files: readonly FileChange[] }
  | { readonly ok: false; readonly failure: Failure };

export async function undo(journal: Journal, snapshots: Snapshots, signal: AbortSignal): Promise<Undone> {
  const point = journal.state.undoPoints.at(-1);
  if (point === undefined) return nothing("There is nothing to undo in this session.");
  const present = await snapshots.track(signal);
  if (!present.ok) return nothing(`Undo is not possible: ${present.why}`);
  const restores = await restoresOf(point, snapshots, present.tree);
  const paths = restores.flatMap((restore) => restore.paths);
  const files = changesBackwards(await changesOf(restores, snapshots, present.tree));
  await journal.emit({
    type: "session.reverted",
    promptId: point.promptId,
    snapshot: present.tree,
    restores,
    files: files.filter((file) => paths.includes(file.path)),
  });
  await settleRestores(journal.state, snapshots);
  return { ok: true, promptText: point.text, files };
}

export async function redo(journal: Journal, snapshots: Snapshots): Promise<Redone> {
  const revert = journal.state.reverts.at(-1);
  if (revert === undefined) return nothing("There is nothing to redo in this session.");
  const restores = [{ tree: revert.snapshot, paths: revert.files.map((file) => file.path) }];
  const files = changesBackwards(revert.files);
  await journal.emit({ type: "session.unreverted", promptId: revert.promptId, restores, files });
  await settleRestores(journal.state, snapshots);
  return { ok: true, files };
}

/** Carries out what the last revert announced. Safe to repeat after a crash. */
export async function settleRestores(state: SessionState, snapshots: Snapshots): Promise<void> {
  for (const { tree, paths } of state.unsettledRestores) {
    if (paths.length > 0) await snapshots.restore(tree, paths);
  }
}

/** Each file goes back to the earliest tree that still has it as it was before the prompt. */
async function restoresOf(point: UndoPoint, snapshots: Snapshots, present: string): Promise<readonly Restore[]> {
  const steps = [...point.changes.map(({ before, files }) => ({ before, paths: files.map((file) => file.path) }))];
  if (point.unfinished !== undefined) {
    const cut = await snapshots.changes(point.unfinished, present);
    steps.push({ before: point.unfinished, paths: cut.map((file) => file.path) });
  }
  const taken = new Set<string>();
  return steps
    .map(({ before, paths }) => {
      const own = paths.filter((path) => !taken.has(path));
      for (const path of own) taken.add(path);
      return { tree: before, paths: own };
    })
    .filter(({ paths }) => paths.length > 0);
}

async function changesOf(
  restores: readonly Restore[],
  snapshots: Snapshots,
  present: string,
): Promise<readonly FileChange[]> {
  const lists = await Promise.all(
    restores.map(async ({ tree, paths }) => {
      const wanted = new Set(paths);
      return (await snapshots.changes(tree, present)).filter((file) => wanted.has(file.path));
    }),
  );
  return lists.flat();
}

/** Undoing an addition deletes, undoing a deletion adds. */
function changesBackwards(files: readonly FileChange[]): readonly FileChange[] {
  const opposite = { added: "deleted", deleted: "added", modified: "modified" } as const;
  return files.map(({ path, status }) => ({ path, status: opposite[status] }));
}

function nothing(message: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}
