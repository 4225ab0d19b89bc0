/** Tools that a result refers to by name: the vendor reads their schemas there, and keeps what stands before. */
import type { Message, ModelRequest } from "@kedge/protocol";
import type { ResultGroups, ToolMessage } from "../wire/result-groups.ts";

/** What lets requests carry tools that only results refer to. */
export const referencesBeta = "advanced-tool-use-2025-11-20";

/** Follows a result that has references alone, so that the turn has a text of the client. */
const loadedText = "Tool loaded.";

type Referred = Pick<ModelRequest, "model" | "tools" | "messages">;

export type ToolReferences = {
  /** Names of the tools of a request that are sent to be referred to; the same set while no tool joins. */
  readonly referred: (request: Referred) => ReadonlySet<string>;
  /** The references that stand in the place of a result's text; none where the text stays. */
  readonly blocks: (result: ToolMessage, request: Referred) => readonly object[];
};

export const loadedBlock = { type: "text", text: loadedText } as const;

const none: ReadonlySet<string> = new Set();

export function createToolReferences(resultsOf: ResultGroups["resultsOf"]): ToolReferences {
  /** A tool keeps its form for as long as the conversation only grows: what was sent is not sent otherwise. */
  const known = new WeakMap<readonly Message[], { readonly tools: Referred["tools"]; names: ReadonlySet<string> }>();

  function referred({ model, tools, messages }: Referred): ReadonlySet<string> {
    if (model.capabilities?.toolReferences !== true) return none;
    const before = known.get(messages);
    if (before?.tools === tools) return before.names;
    const names = findReferred({ tools, messages }, resultsOf);
    known.set(messages, { tools, names });
    return names;
  }

  return {
    referred,
    blocks({ foundTools = [], isError }, request) {
      if (isError || foundTools.length === 0) return [];
      const names = referred(request);
      // A reference to a tool that every request describes would say nothing, and one to none is refused.
      return foundTools.every((name) => names.has(name))
        ? foundTools.map((name) => ({ type: "tool_reference", tool_name: name }))
        : [];
    },
  };
}

/** A search that also found a tool which every request describes, or one that is gone, is shown as text. */
function findReferred(
  { tools, messages }: Pick<Referred, "tools" | "messages">,
  resultsOf: ResultGroups["resultsOf"],
): ReadonlySet<string> {
  const found = new Set(tools.flatMap(({ name, isFound }) => (isFound ? name : [])));
  if (found.size === 0) return none;
  const names = new Set<string>();
  for (const message of messages) {
    if (message.role !== "tool") continue;
    for (const { foundTools = [], isError } of resultsOf(message)) {
      if (isError || !foundTools.every((name) => found.has(name))) continue;
      for (const name of foundTools) names.add(name);
    }
  }
  return names;
}
