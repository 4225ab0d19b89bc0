/** Has the gates look at a call, and joins what they find with what phases from outside want a person to see. */
import type { Gated } from "../../gates/index.ts";
import type { CallGates } from "../asking/call-gates.ts";
import type { Call } from "../call.ts";
import type { Phase } from "../phase.ts";

export function gates(look: CallGates): Phase {
  return {
    takes: "open",
    pass(call) {
      const gated = look(call, { isAsked: call.verdict.verdict === "ask" || call.raised.length > 0 });
      return gated instanceof Promise ? gated.then((found) => withGates(call, found)) : withGates(call, gated);
    },
  };
}

function withGates(call: Call, gated: Gated): Call {
  if (call.raised.length === 0) return { ...call, gated };
  const reasons = [...(gated.raise === undefined ? [] : [gated.raise.reason]), ...call.raised];
  return { ...call, gated: { ...gated, raise: { reason: reasons.join("; ") } } };
}
