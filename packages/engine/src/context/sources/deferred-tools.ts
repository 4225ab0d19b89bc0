/** Names the tools that no request carries until the model finds them, and what is added to them or taken away. */
import type { ContextBlock, ContextSource, Tool } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { harmless, prompt } from "../../prompt-texts.ts";

const list = prompt(textBeside(import.meta.url, "../../prompts/deferred-tools.md"));
const changed = prompt(textBeside(import.meta.url, "../../prompts/deferred-tools-changed.md"));

const origin = "tool_search";
const separator = ", ";
const none: readonly ContextBlock[] = [];

/** `offered` gives the same array while no tool came or went. A tool that was found stays in the list. */
export function createDeferredTools(offered: () => readonly Tool[]): ContextSource {
  let tools: readonly Tool[] | undefined;
  let names = "";
  return {
    name: "deferred tools",
    kind: "policy",
    place: "head",
    read({ model, shown }) {
      const now = offered();
      if (now !== tools) {
        tools = now;
        names = namesOf(now);
      }
      const before = shown(origin);
      if (before === names || model.capabilities?.tools === false) return none;
      if (before === undefined)
        return names === "" ? none : [{ text: fillSlots(list, { names }), origin, hash: names }];
      return [{ text: fillSlots(changed, { changes: changesOf(before, names) }), origin, hash: names }];
    },
  };
}

function namesOf(tools: readonly Tool[]): string {
  const deferred = tools.filter(({ searchHint }) => searchHint !== undefined);
  return (
    deferred
      // Servers choose the names of their tools.
      .map(({ name }) => harmless(name))
      .sort()
      .join(separator)
  );
}

function changesOf(before: string, now: string): string {
  const [old, current] = [before, now].map((names) => (names === "" ? [] : names.split(separator)));
  const added = (current ?? []).filter((name) => !old?.includes(name));
  const removed = (old ?? []).filter((name) => !current?.includes(name));
  return [
    ...(added.length === 0 ? [] : [`Added (load with tool_search): ${added.join(separator)}.`]),
    ...(removed.length === 0 ? [] : [`Removed: ${removed.join(separator)}.`]),
  ].join(" ");
}
