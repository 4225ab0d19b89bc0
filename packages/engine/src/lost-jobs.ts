/** What a process that died left running: ended when its session is taken up again, and told there once. */
import type { FactOf, Job, SessionState } from "@kedge/protocol";
import type { EngineShared } from "./parts.ts";

/**
 * Called before the session belongs to this process. Commands that nobody waits for any more are ended as well as
 * jobs, or a later one would meet them at work.
 */
export function endLostWork(state: SessionState, parts: Pick<EngineShared, "resources">): void {
  if (state.jobs.size > 0 || state.runId !== undefined) parts.resources.endOrphans?.(state.boot);
}

/** A job that this process did not start. Whatever it printed is known only as far as the session was told. */
export function lostJob({ jobId, command }: FactOf<"job.started">): Job {
  return { jobId, command, status: "cancelled", startedAtMs: 0, durationMs: 0, artifact: 0, isLost: true };
}
