/** Makes a result harmless to read: what is invisible in it is shown, and tags like kedge's own are named as data. */
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

/** Their tools wrap pages as data and have made them harmless already. */
const webPermissions: ReadonlySet<string> = new Set(["webfetch", "websearch"]);

export function neutral({ engine }: Pick<CallServices, "engine">): Phase {
  const { neutralise } = engine;
  return {
    takes: "ended",
    pass(call) {
      const { end } = call;
      if (end === undefined || neutralise === undefined || isFromWeb(call)) return call;
      const output = neutralise(end.output, "tool");
      return output === end.output ? call : { ...call, end: { ...end, output } };
    },
  };
}

function isFromWeb({ needs }: Call): boolean {
  return needs.some(({ permission }) => webPermissions.has(permission));
}
