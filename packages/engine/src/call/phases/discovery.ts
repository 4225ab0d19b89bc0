/** Makes a deferred tool that ran known from then on, as if the model had searched for it. */
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function discovery({ pool }: Pick<CallServices, "pool">): Phase {
  return {
    takes: "ended",
    pass(call) {
      const { end, tool } = call;
      if (end?.outcome !== "completed" || !pool.isUndiscovered(tool)) return call;
      return { ...call, end: { ...end, metadata: { ...end.metadata, foundTools: [tool.name] } } };
    },
  };
}
