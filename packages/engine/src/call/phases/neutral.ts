/** Makes a result harmless to read: what is invisible in it is shown, and tags like kedge's own are named as data. */
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function neutral({ engine }: Pick<CallServices, "engine">): Phase {
  const { neutralise } = engine;
  return {
    takes: "ended",
    pass(call) {
      const { end } = call;
      if (end === undefined || neutralise === undefined || call.context.hasFenced) return call;
      const output = neutralise(end.output, "tool");
      return output === end.output ? call : { ...call, end: { ...end, output } };
    },
  };
}
