/** Has a call with the input that a person wrote pass everything again: it is a new one, which has yet to be permitted. */
import { type Call, newCall } from "../call.ts";
import type { Phase } from "../phase.ts";
import { changedCall } from "../text/call-input.ts";

export function edited(passAgain: (call: Call) => Call | Promise<Call>): Phase {
  return {
    takes: "open",
    pass(call) {
      const { origin, newContext, tool, block, edit, answered, changes = [] } = call;
      if (edit === undefined || answered === undefined) return call;
      const written = newCall(origin, changedCall(block, edit), newContext);
      return passAgain({ ...written, tool, isEdited: true, answered, raised: changes });
    },
  };
}
