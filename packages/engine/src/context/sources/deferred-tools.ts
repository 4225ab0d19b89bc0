/** Names the tools that no request carries until the model finds them, and what is added to them or taken away. */
import type { ContextBlock, ContextSource, Tool } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { harmless, prompt } from "../../prompt-texts.ts";

const list = prompt(textBeside(import.meta.url, "../../prompts/deferred-tools.md"));
const changed = prompt(textBeside(import.meta.url, "../../prompts/deferred-tools-changed.md"));

const origin = "tool_search";
const separator = ", ";
const none: readonly ContextBlock[] = [];

/** With more than this, the tools of a server are named by their prefix and their number. */
const namesCharactersMax = 1_500;
const groupsCharactersMax = 2_400;

/** `deferred` gives the same array while no tool came or went. A tool that was found stays in the list. */
export function createDeferredTools(deferred: () => readonly Tool[]): ContextSource {
  let tools: readonly Tool[] | undefined;
  let names = "";
  return {
    name: "deferred tools",
    kind: "policy",
    place: "head",
    read({ model, shown }) {
      const now = deferred();
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
  // Servers choose the names of their tools.
  const names = tools.map(({ name }) => harmless(name)).sort();
  const all = names.join(separator);
  if (all.length <= namesCharactersMax) return all;
  const counts = new Map<string, number>();
  for (const name of names) {
    const entry = /^mcp__.+?__/s.exec(name)?.[0] ?? name;
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  const entries = [...counts].map(([entry, count]) => (entry.endsWith("__") ? `${entry}* (${count})` : entry));
  return withinLimit(entries).join(separator);
}

function withinLimit(entries: readonly string[]): readonly string[] {
  let length = 0;
  const fitting = entries.findIndex((entry) => {
    length += entry.length + separator.length;
    return length > groupsCharactersMax;
  });
  return fitting === -1 ? entries : [...entries.slice(0, fitting), `${entries.length - fitting} more`];
}

function changesOf(before: string, now: string): string {
  const old = before === "" ? [] : before.split(separator);
  const current = now === "" ? [] : now.split(separator);
  const added = current.filter((entry) => !old.includes(entry));
  const removed = old.filter((entry) => !current.some((other) => other === entry || isWithin(entry, other)));
  return [
    ...(added.length === 0 ? [] : [`Added (load with tool_search): ${added.join(separator)}.`]),
    ...(removed.length === 0 ? [] : [`Removed: ${removed.join(separator)}.`]),
  ].join(" ");
}

/** A tool that is now named with its server is still there, and so is a server with another number of tools. */
function isWithin(entry: string, group: string): boolean {
  const prefix = /^(.+__)\* \(\d+\)$/s.exec(group)?.[1];
  return prefix !== undefined && entry.startsWith(prefix);
}
