/**
 * The skills of an installed plugin without their texts: made once, since its files never change, so that a start reads
 * none of them. Two hundred files take 25 ms to read.
 */
import { dirname, join, relative } from "node:path";
import type { Definition, DefinitionNote, FieldValue } from "../definitions/definition.ts";
import type { FoundDefinitions } from "../definitions/find-definitions.ts";
import { makeDefinition } from "../definitions/make-definition.ts";
import { readDefinitionFile } from "../definitions/read-definition-file.ts";
import type { PlacedPlugin } from "./plugin-folders.ts";

/** Plain data, to be kept. */
export type IndexedSkill = {
  /** Below the directory of the plugin. */
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly fields: readonly (readonly [name: string, value: FieldValue])[];
  readonly notes: readonly DefinitionNote[];
};

export function indexSkills(root: string, { used }: FoundDefinitions): readonly IndexedSkill[] {
  return used.map(({ file, name, description, fields, notes }) => ({
    ...{ file: relative(root, file), name, description, notes },
    fields: [...fields],
  }));
}

/** The text of each is read when somebody asks for it. */
export function indexedSkills(plugin: PlacedPlugin, index: readonly IndexedSkill[]): readonly Definition[] {
  const { root } = plugin;
  const place = { source: plugin.name, tier: "plugin", folder: root, plugin } as const;
  return index.map(({ file, name, description, fields, notes }) => {
    const path = join(root, file);
    const directory = dirname(path);
    let body: string | undefined;
    return {
      ...{ kind: "skill", name, description, place, directory, notes, file: path, fields: new Map(fields) },
      get body() {
        body ??= bodyIn(path, { root, directory, place });
        return body;
      },
    };
  });
}

type Where = Pick<Definition, "directory" | "place"> & { readonly root: string };

/** Empty where the file is gone, which only happens by hand. */
function bodyIn(path: string, { root, directory, place }: Where): string {
  const read = readDefinitionFile(path, root);
  if (!read.ok) return "";
  const made = makeDefinition({ kind: "skill", place, file: path, directory, text: read.text, nameOfFile: "skill" });
  return made.ok ? made.definition.body : "";
}
