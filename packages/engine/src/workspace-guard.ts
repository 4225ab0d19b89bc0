/** Takes a snapshot before the first call of a step that may change files, and records what the step changed. */
import type { Snapshots } from "@kedge/protocol";
import type { Journal } from "./journal.ts";

export interface WorkspaceGuard {
  /** The tree before this call, if it is the first of its step that may change files and a snapshot could be taken. */
  before(stepId: string, signal: AbortSignal): Promise<string | undefined>;
  /** Records the files that changed since `before`; call it when all calls of the step have ended. */
  after(stepId: string): Promise<void>;
}

export function createWorkspaceGuard(snapshots: Snapshots, journal: Journal): WorkspaceGuard {
  let open: { readonly stepId: string; readonly tree: string } | undefined;
  let unavailable = false;

  function giveUp(why: string): void {
    unavailable = true;
    const text = `Undo is off for this session: ${why}`;
    journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
  }

  return {
    async before(stepId, signal) {
      if (unavailable || open?.stepId === stepId) return undefined;
      const tracked = await snapshots.track(signal);
      if (!tracked.ok) {
        if (!signal.aborted) giveUp(tracked.why);
        return undefined;
      }
      open = { stepId, tree: tracked.tree };
      return tracked.tree;
    },
    async after(stepId) {
      if (open?.stepId !== stepId) return;
      const before = open.tree;
      open = undefined;
      // Not tied to the run's signal: what an interrupted call changed must be recorded as well.
      const tracked = await snapshots.track(new AbortController().signal);
      if (!tracked.ok) return giveUp(tracked.why);
      if (tracked.tree === before) return;
      const files = await snapshots.changes(before, tracked.tree);
      await journal.emit({
        type: "files.changed",
        stepId,
        before,
        after: tracked.tree,
        files,
        uncovered: tracked.uncovered,
      });
    },
  };
}
