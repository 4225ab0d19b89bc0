/** Notices a call that the model makes again and again; once for each call, whatever becomes of its input. */
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function repetition({ doomLoop }: Pick<CallServices, "doomLoop">): Phase {
  return {
    takes: "open",
    pass: (call) => ({ ...call, isRepeated: doomLoop.repeats(call.tool.name, call.input) }),
  };
}
