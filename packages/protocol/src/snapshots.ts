/** The Snapshots contract: trees of the workspace that undo can return to. */
import type { FileChange } from "./facts.ts";

export type Tracked =
  | { readonly ok: true; readonly tree: string; readonly uncovered: readonly string[] }
  /** Snapshots cannot be taken here; the sentence says why. */
  | { readonly ok: false; readonly why: string };

/** Never touches the user's own repository: not its index, refs, hooks, configuration or stash. */
export interface Snapshots {
  track(signal: AbortSignal): Promise<Tracked>;
  changes(before: string, after: string): Promise<readonly FileChange[]>;
  /** Puts the named files back to their state in the tree; a file absent there is deleted. */
  restore(tree: string, paths: readonly string[]): Promise<void>;
  /** A unified diff between two trees, for people. */
  diff(before: string, after: string): Promise<string>;
}
