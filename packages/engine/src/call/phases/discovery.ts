/** Makes a deferred tool that ran known from then on, as if the model had searched for it. */
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { isUndiscovered } from "../undiscovered-tool.ts";

export function discovery({ journal }: Pick<CallServices, "journal">): Phase {
  return {
    takes: "ended",
    pass(call) {
      const { end, tool } = call;
      if (end?.outcome !== "completed" || !isUndiscovered(tool, journal.state)) return call;
      return { ...call, end: { ...end, metadata: { ...end.metadata, foundTools: [tool.name] } } };
    },
  };
}
