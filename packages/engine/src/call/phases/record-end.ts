/** Records how a call ended: the one `tool.ended` of each call. */
import type { FactOf } from "@kedge/protocol";
import { allowFlags } from "../../permission/index.ts";
import { shellCommandOf } from "../../run/conduct.ts";
import type { Call, CallEnd } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { storedMetadata, storedText } from "../text/stored-limit.ts";

export function recordEnd({
  journal,
  conduct,
  onDenial,
}: Pick<CallServices, "journal" | "conduct" | "onDenial">): Phase {
  return {
    takes: "ended",
    pass(call) {
      const { end, block, input, readOnly, files } = call;
      if (end === undefined) throw new Error(`The call ${block.callId} passed all phases without an end.`);
      const { outcome, output, metadata, decision } = end;
      const { callId, tool } = block;
      if (outcome === "refused" && decision !== undefined) {
        const flags = decision.source === "headless" ? flagsOf(call) : undefined;
        onDenial({ callId, tool, reason: decision.reason, ...(flags !== undefined && { allow: flags }) });
      }
      const command = shellCommandOf(call.needs);
      const finished = { callId, tool, input, readOnly, outcome, output, metadata, command, files };
      return { ...call, ended: journal.emit(endFact(call, end), ...conduct.callEnded(finished)) };
    },
  };
}

function flagsOf({ verdict, gated }: Call): string | undefined {
  return verdict.verdict === "ask" && gated.raise === undefined ? allowFlags(verdict) : undefined;
}

function endFact({ block, origin, timings }: Call, end: CallEnd): FactOf<"tool.ended"> {
  const { metadata } = end;
  const { stepId, parentCallId } = origin;
  return {
    type: "tool.ended",
    callId: block.callId,
    stepId,
    tool: block.tool,
    ...end,
    output: storedText(end.output),
    ...(metadata !== undefined && { metadata: storedMetadata(metadata) }),
    phases: timings.marks,
    ...(parentCallId !== undefined && { parentCallId }),
  };
}
