/** Names the files that a call changed, below its output. */
import type { Call, CallEnd } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import { describeChanges } from "../files/describe-changes.ts";
import type { WatchedCall } from "../files/watch-call.ts";
import type { Phase } from "../phase.ts";

export function changes({ context }: Pick<CallServices, "context">): Phase {
  const { jobs } = context.services;

  async function look(call: Call, end: CallEnd, watched: WatchedCall): Promise<Call> {
    const { metadata = {}, output } = end;
    const { jobId } = metadata;
    const isTold = metadata["diff"] !== undefined || metadata["perFileResults"] !== undefined;
    const isStillAtWork = typeof jobId === "string" && jobs.find(jobId)?.status === "running";
    const files = await watched.ended({ isTold, isStillAtWork });
    call.timings.mark("changes");
    if (files.length === 0) return { ...call, files };
    const changed = describeChanges(files);
    const gap = output === "" || output.endsWith("\n") ? "" : "\n";
    const told = { ...end, output: `${output}${gap}${changed.line}`, metadata: { ...metadata, ...changed.metadata } };
    return { ...call, files, end: told };
  }

  return {
    takes: "ended",
    pass: (call) => (call.end === undefined || call.watched === undefined ? call : look(call, call.end, call.watched)),
  };
}
