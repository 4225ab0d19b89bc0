/** Leaves only the tools that the user named; a name that no tool has is refused. */
import { type Failure, nearNames, type Tool } from "@kedge/protocol";

/** Names count in small and large letters, and so do other names of a tool. */
export function chooseTools(tools: readonly Tool[], names: readonly string[] | undefined): readonly Tool[] {
  if (names === undefined) return tools;
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return tools.filter((tool) => namesOf(tool).some((name) => wanted.has(name)));
}

/** Undefined where every name is one of a tool. */
export function refuseUnknownTool(
  tools: readonly Tool[],
  names: readonly string[] | undefined = [],
): Failure | undefined {
  const known = new Set(tools.flatMap(namesOf));
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

function namesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases].map((each) => each.toLowerCase());
}
