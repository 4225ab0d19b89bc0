/** Watches around a call what it does to files: those of the workspace, and those that decide what commands act on. */
import type { FileChange } from "@kedge/protocol";
import type { CallCause } from "../../gates/index.ts";
import type { SessionGates } from "../../gates/session-gates.ts";
import type { CallReach, WorkspaceWatch } from "./workspace-watch.ts";

export interface WatchedCall {
  readonly snapshot?: string;
  /** However the call ended. The files that changed while it ran, unless its result tells them already. */
  ended(options: { readonly isTold: boolean; readonly isStillAtWork: boolean }): Promise<readonly FileChange[]>;
}

export type CallToWatch = CallReach & {
  readonly stepId: string;
  readonly cause: CallCause;
  readonly signal: AbortSignal;
};

/** For a call that may change something, just before it runs. */
export async function watchCall(
  { watch, gates }: { readonly watch: WorkspaceWatch; readonly gates: SessionGates },
  { stepId, reach, held, cause, signal }: CallToWatch,
): Promise<WatchedCall> {
  const [files, premises] = await Promise.all([
    watch.before(stepId, { reach, held }, signal),
    reach === "nothing" ? undefined : gates.load().then(({ premise }) => premise.before(cause)),
  ]);
  return {
    ...(files.snapshot !== undefined && { snapshot: files.snapshot }),
    async ended({ isTold, isStillAtWork }) {
      const [changed] = await Promise.all([files.ended({ isTold }), premises?.ended({ isStillAtWork })]);
      return changed;
    },
  };
}
