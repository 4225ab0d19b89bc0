/** The tools of one session: sorted for a stable request, found by name, alias or a slip of the pen. */
import { nearNames, type Tool, type ToolSchema } from "@kedge/protocol";

const nearNamesMax = 5;

export interface ToolPool {
  /** Byte-identical for the same set of tools, whatever order they came in. */
  readonly schemas: readonly ToolSchema[];
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
  return {
    schemas: [...byName.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    find: (name) => byName.get(name) ?? byLooseName.get(name.toLowerCase()),
    nearNames: (name) => nearNames(name, [...byName.keys()], { countMax: nearNamesMax, anyHow: true }),
  };
}
