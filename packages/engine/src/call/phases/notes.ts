/** Says above a result that its input was changed, and below it what phases from outside have to say. */
import type { Phase } from "../phase.ts";
import { changeNote } from "../text/call-input.ts";

export function notes(): Phase {
  return {
    takes: "ended",
    pass(call) {
      const { end, block, changedBy } = call;
      const isChanged = call.isEdited || changedBy.length > 0;
      if (end === undefined || (!isChanged && call.notes.length === 0)) return call;
      const who = [...(call.isEdited ? ["The user"] : []), ...changedBy];
      const above = who.length === 0 ? [] : [changeNote(block, who)];
      const output = [...above, ...(end.output === "" ? [] : [end.output]), ...call.notes].join("\n\n");
      const metadata = changedBy.length === 0 ? {} : { metadata: { ...end.metadata, inputChangedBy: changedBy } };
      return { ...call, end: { ...end, output, ...metadata } };
    },
  };
}
