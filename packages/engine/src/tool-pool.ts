/** The tools of one session: sorted for a stable request, found by name, alias or a slip of the pen. */
import { type EditMode, nearNames, type Tool, type ToolSchema } from "@kedge/protocol";

const nearNamesMax = 5;

export interface ToolPool {
  /**
   * The tools that every request of this edit mode carries, byte-identical for the same set, whatever order it came in;
   * after them those that were found by searching, in the order in which they were. The same array until `found` grows.
   */
  schemas(found: ReadonlySet<string>, editMode: EditMode): readonly ToolSchema[];
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
  let made:
    | { readonly editMode: EditMode; readonly foundCount: number; readonly schemas: readonly ToolSchema[] }
    | undefined;
  return {
    schemas(found, editMode) {
      if (made?.foundCount === found.size && made.editMode === editMode) return made.schemas;
      const carried = sorted.filter(
        ({ searchHint, editModes }) => searchHint === undefined && (editModes?.includes(editMode) ?? true),
      );
      const later = [...found].flatMap((name) => byName.get(name) ?? []).filter((tool) => !carried.includes(tool));
      const schemas = [...carried, ...later].map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema,
      }));
      made = { editMode, foundCount: found.size, schemas };
      return schemas;
    },
    find: (name) => byName.get(name) ?? byLooseName.get(name.toLowerCase()),
    nearNames: (name) => nearNames(name, [...byName.keys()], { countMax: nearNamesMax, anyHow: true }),
  };
}
