/** The Snapshots contract: trees of the workspace that undo can return to, and how they are kept. */
import type { FileChange } from "../facts/fact-words.ts";

export type Tracked =
  | { readonly ok: true; readonly tree: string; readonly uncovered: readonly string[] }
  /** Snapshots cannot be taken here; the sentence says why. */
  | { readonly ok: false; readonly why: string };

export type TrackOptions = {
  /**
   * Files and folders, relative to the workspace, that this tree holds even if git ignores them; or all that git
   * ignores. What exceeds the limits is among the uncovered. It counts for this one tree: name the same in each tree
   * that is to be compared. A file that only one of two trees was asked about is no change between them.
   */
  readonly also?: readonly string[] | "all-ignored";
  /** Trees that this one is to be compared with: it holds whatever they were asked to hold. */
  readonly asIn?: readonly string[];
  /**
   * The tree also tells where the refs and stash entries of the user's repository are. With `kept` their objects are
   * kept before anything can remove them, otherwise once a later tree finds them gone.
   */
  readonly refs?: "noted" | "kept";
};

/** Never touches the user's own repository but by `refs.restore`: not its index, refs, hooks, configuration or stash. */
export interface Snapshots {
  track(signal: AbortSignal, options?: TrackOptions): Promise<Tracked>;
  changes(before: string, after: string): Promise<readonly FileChange[]>;
  /** Puts the named files back to their state in the tree; a file absent there is deleted. Safe to repeat. */
  restore(tree: string, paths: readonly string[]): Promise<void>;
  /**
   * Writes all files of the tree into an empty directory elsewhere; false when the tree is not there any more. Absent
   * where trees cannot be had whole.
   */
  checkOut?(tree: string, directory: string): Promise<boolean>;
  /** A unified diff between two trees, for people. */
  diff(before: string, after: string): Promise<string>;
  /** Absent where trees tell nothing of refs. */
  readonly refs?: SnapshotRefs;
}

/** The refs and stash entries of the user's repository, as trees tell them. */
interface SnapshotRefs {
  /** Names of those that differ between two trees; none if one of them does not tell. */
  changed(before: string, after: string): Promise<readonly string[]>;
  /**
   * Puts back to their state in the tree those that still are as in `from`, and names those it left because somebody
   * else moved them. The one operation that changes the user's repository. Safe to repeat.
   */
  restore(tree: string, from: string): Promise<readonly string[]>;
}

export type CleanupOutcome =
  | { readonly kind: "cleaned" }
  /** It ran less than an hour ago, or somebody needs the snapshots now. */
  | { readonly kind: "skipped" }
  | { readonly kind: "failed"; readonly why: string };

/** Keeps trees for as long as somebody may return to them. Called by the host, never while a call waits. */
export interface SnapshotCleanup {
  /** The tree stays for as long as its owner, mostly a session, does. */
  pin(tree: string, owner: string): Promise<void>;
  unpin(owner: string): Promise<void>;
  /** Lets go of what is neither pinned nor younger than a week. Gives way to whoever wants to work. */
  cleanup(options: { readonly now: number; readonly olderThanMs?: number }): Promise<CleanupOutcome>;
  /** What the snapshots of this workspace take on the disk. */
  sizeBytes(): Promise<number>;
}
