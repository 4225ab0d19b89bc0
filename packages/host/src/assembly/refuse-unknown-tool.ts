/** Refuses a name that no tool has, among the names of the tools that the user wants. */
import { toolNamesOf } from "@kedge/engine";
import { type Failure, nearNames, type Tool } from "@kedge/protocol";

/** Undefined where every name is one of a tool. */
export function refuseUnknownTool(tools: readonly Tool[], names: readonly string[]): Failure | undefined {
  const known = new Set(tools.flatMap(toolNamesOf));
  const name = names.find((each) => !known.has(each.toLowerCase()));
  if (name === undefined) return undefined;
  const ownNames = tools.map((tool) => tool.name);
  const [nearest] = nearNames(name, ownNames, { countMax: 1 });
  return {
    code: "configuration",
    message: `There is no tool ${JSON.stringify(name)}.`,
    recovery: nearest === undefined ? `There are ${ownNames.join(", ")}.` : `Did you mean ${nearest}?`,
    retryable: false,
  };
}
