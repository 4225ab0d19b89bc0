/** Refuses a name that no tool has, among the names of the tools that the user wants. */
import { offeredTools, toolNamesOf } from "@kedge/engine";
import { type Failure, nearNames, type ToolSource } from "@kedge/protocol";

/** The tool of skills is offered only where there are any. */
const isAlwaysKnown = (name: string) => name.toLowerCase() === "skill";

/** Undefined where every name is one of a tool, or where all tools are wanted. */
export function refuseUnknownTool(
  toolSources: readonly ToolSource[],
  names: readonly string[] | undefined,
): Failure | undefined {
  if (names === undefined) return undefined;
  const tools = offeredTools({ toolSources, interactive: true });
  const known = new Set(tools.flatMap(toolNamesOf));
  const name = names.find((each) => !isAlwaysKnown(each) && !known.has(each.toLowerCase()));
  if (name === undefined) return undefined;
  const ownNames = tools.map((tool) => tool.name);
  const [nearest] = nearNames(name, ownNames, { countMax: 1 });
  return {
    code: "configuration",
    message: `Unknown tool ${JSON.stringify(name)}.`,
    recovery: nearest === undefined ? `Available: ${ownNames.join(", ")}.` : `Did you mean ${nearest}?`,
    retryable: false,
  };
}
