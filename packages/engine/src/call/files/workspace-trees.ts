/** Trees of the workspace around calls: whatever goes wrong with git or the disk costs the trees, never the call. */
import type { FileChange, Snapshots, TrackOptions } from "@kedge/protocol";
import type { Journal } from "../../journal.ts";

export type TakenTree = { readonly tree: string; readonly uncovered: readonly string[] };

/** Once something failed, the user is told and nothing is taken any more. */
export interface WorkspaceTrees {
  isAvailable(): boolean;
  /** Undefined where it failed, or was interrupted. */
  take(signal: AbortSignal, wish?: TrackOptions): Promise<TakenTree | undefined>;
  changes(before: string, after: string): Promise<readonly FileChange[] | undefined>;
  changedRefs(before: string, after: string): Promise<readonly string[] | undefined>;
}

export function createWorkspaceTrees(snapshots: Snapshots, journal: Journal): WorkspaceTrees {
  let isAvailable = true;

  function giveUp(why: string): undefined {
    isAvailable = false;
    const text = `Undo is unavailable in this session: ${why}`;
    journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
  }

  async function orGiveUp<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      return giveUp(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    isAvailable: () => isAvailable,
    async take(signal, wish = {}) {
      const tracked = await orGiveUp(() => snapshots.track(signal, wish));
      if (tracked === undefined || tracked.ok) return tracked;
      return signal.aborted ? undefined : giveUp(tracked.why);
    },
    changes: (before, after) => orGiveUp(() => snapshots.changes(before, after)),
    changedRefs: (before, after) => orGiveUp(async () => snapshots.refs?.changed(before, after)),
  };
}
