/** Rewrites that were previewed and wait to be applied or discarded: at most one per session, in memory only. */
import type { FileState } from "@kedge/protocol";
import type { Operation } from "./rewrite.ts";
import type { RewrittenFile } from "./rewrite-files.ts";

export type PendingEdit = {
  /** Stands for the session: every session has a file state of its own. */
  readonly owner: FileState;
  /** By language. */
  readonly operations: ReadonlyMap<string, readonly Operation[]>;
  readonly files: readonly RewrittenFile[];
};

export interface PendingEdits {
  /** Replaces what the owner left pending; gives the id. */
  add(edit: PendingEdit): string;
  find(id: string): PendingEdit | undefined;
  remove(id: string): void;
  /** Drops all: what was previewed for one request is not applied for another. */
  clear(): void;
}

/** Of sessions that ended without a word only so many are kept. */
const pendingMax = 8;

export function createPendingEdits(): PendingEdits {
  const edits = new Map<string, PendingEdit>();
  let count = 0;
  return {
    add(edit) {
      for (const [id, { owner }] of edits) if (owner === edit.owner) edits.delete(id);
      const [oldest] = edits.keys();
      if (oldest !== undefined && edits.size >= pendingMax) edits.delete(oldest);
      count += 1;
      const id = `edit-${count}`;
      edits.set(id, edit);
      return id;
    },
    find: (id) => edits.get(id),
    remove: (id) => void edits.delete(id),
    clear: () => edits.clear(),
  };
}
