/** A call as each hook sees it: under the name and with the fields of its own agent. */
import type { JsonObject, PhasedCall } from "@kedge/protocol";
import { dialects } from "./dialects/dialects.ts";
import { viewsOf } from "./event-input.ts";
import type { Hook } from "./hook.ts";
import type { EventView } from "./hook-set.ts";

/** `fields` are those of the event beside the call's own. */
export function callViews(call: PhasedCall, fields: JsonObject): (hook: Hook) => readonly EventView[] {
  const { tool, input, cwd, needs, callId } = call;
  const written = needs.filter(({ access }) => access === "write");
  const touched = (written.length > 0 ? written : needs).flatMap(({ paths = [] }) => paths);
  const viewed = { tool, input, cwd, paths: touched, isWriting: written.length > 0 };
  return ({ dialect }) =>
    viewsOf(viewed, dialects[dialect]).map(({ toolName, toolInput, inputFrom }) => ({
      fields: { ...fields, tool_name: toolName, tool_input: toolInput, tool_use_id: callId },
      ...(inputFrom !== undefined && { inputFrom }),
    }));
}
