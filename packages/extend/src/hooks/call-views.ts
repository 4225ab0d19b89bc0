/** A call as each hook sees it: under the name and with the fields of its own agent. */
import type { JsonObject, PhasedCall } from "@kedge/protocol";
import { dialects } from "./dialects/dialects.ts";
import { type CallView, viewsOf } from "./event-input.ts";
import type { Hook } from "./hook.ts";
import type { EventView } from "./hook-set.ts";
import { matcherOf } from "./matcher.ts";

/** `fields` are those of the event beside the call's own. */
export function callViews(call: PhasedCall, fields: JsonObject): (hook: Hook) => readonly EventView[] {
  const { tool, input, cwd, needs, callId } = call;
  const written = needs.filter(({ access }) => access === "write");
  const touched = (written.length > 0 ? written : needs).flatMap(({ paths = [] }) => paths);
  const viewed = { tool, input, cwd, paths: touched, isWriting: written.length > 0 };
  return (hook) =>
    viewsOf(viewed, dialects[hook.dialect]).map((view) => {
      const { toolInput, inputFrom } = view;
      const matched = nameFor(hook, view);
      const { patching } = dialects[hook.dialect];
      const shown = patching?.tool === view.toolName ? view.toolName : matched;
      return {
        fields: { ...fields, tool_name: shown, tool_input: toolInput, tool_use_id: callId },
        matched,
        ...(inputFrom !== undefined && { inputFrom }),
      };
    });
}

/** The first of its names that the hook's matcher means. */
function nameFor(hook: Hook, { toolName, otherNames = [] }: CallView): string {
  if (otherNames.length === 0 || hook.matcher === undefined) return toolName;
  const matches = matcherOf(hook);
  return [toolName, ...otherNames].find(matches) ?? toolName;
}
