/** The tools of one session: sorted for a stable request, found by name, alias or a slip of the pen. */
import type { Tool, ToolSchema } from "@kedge/protocol";

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
    nearNames: (name) =>
      [...byName.keys()]
        .map((known) => ({ known, distance: bigramDistance(name.toLowerCase(), known) }))
        .sort((left, right) => left.distance - right.distance)
        .slice(0, nearNamesMax)
        .map(({ known }) => known),
  };
}

/** 0 when both have the same pairs of letters, 1 when they share none. */
function bigramDistance(left: string, right: string): number {
  const pairs = (word: string) =>
    new Set(Array.from(`^${word}$`.slice(1), (letter, index) => `^${word}$`[index] + letter));
  const leftPairs = pairs(left);
  const rightPairs = pairs(right);
  let common = 0;
  for (const pair of leftPairs) if (rightPairs.has(pair)) common += 1;
  return 1 - (2 * common) / (leftPairs.size + rightPairs.size);
}
