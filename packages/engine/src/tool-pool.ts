/** The tools of one session: sorted for a stable request, found by name, alias or a slip of the pen. */
import { nearNames, type Tool, type ToolSchema } from "@kedge/protocol";

const nearNamesMax = 5;

export interface ToolPool {
  /**
   * Of the tools that every request carries and of those that were found by searching. Byte-identical for the same set,
   * whatever order it came in, and the same array until `found` grows.
   */
  schemas(found: ReadonlySet<string>): readonly ToolSchema[];
  find(name: string): Tool | undefined;
  nearNames(name: string): readonly string[];
}

export function createToolPool(tools: readonly Tool[]): ToolPool {
  const byName = new Map<string, Tool>();
  const byLooseName = new Map<string, Tool>();
  for (const tool of [...tools].sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (byName.has(tool.name)) continue;
    byName.set(tool.name, tool);
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      if (!byLooseName.has(name.toLowerCase())) byLooseName.set(name.toLowerCase(), tool);
    }
  }
  const sorted = [...byName.values()];
  let schemas: readonly ToolSchema[] = [];
  let foundCount = -1;
  return {
    schemas(found) {
      if (found.size === foundCount) return schemas;
      foundCount = found.size;
      schemas = sorted
        .filter(({ name, searchHint }) => searchHint === undefined || found.has(name))
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      return schemas;
    },
    find: (name) => byName.get(name) ?? byLooseName.get(name.toLowerCase()),
    nearNames: (name) => nearNames(name, [...byName.keys()], { countMax: nearNamesMax, anyHow: true }),
  };
}
