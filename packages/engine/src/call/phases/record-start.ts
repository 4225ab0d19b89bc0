/** Records that a call starts, before it does. */
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function recordStart({ journal }: Pick<CallServices, "journal">): Phase {
  return {
    takes: "open",
    pass(call) {
      const { block, tool, readOnly, decision, watched, needs } = call;
      if (decision === undefined) throw new Error(`The call ${block.callId} would run without a decision.`);
      const started = journal.emit({
        type: "tool.started",
        callId: block.callId,
        stepId: call.origin.stepId,
        tool: tool.name,
        inputText: block.inputText,
        readOnly,
        decision,
        ...(watched?.snapshot !== undefined && { snapshot: watched.snapshot }),
      });
      // Only a call that can do something waits for the disk: a read that a crash forgets has changed nothing.
      if (!readOnly || !reads(needs)) return started.then(() => recorded(call));
      started.catch(() => undefined);
      return recorded(call);
    },
  };
}

function recorded(call: Call): Call {
  call.timings.mark("record");
  return call;
}

function reads(needs: Call["needs"]): boolean {
  return needs.every((need) => need.access === "read");
}
