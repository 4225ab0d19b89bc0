/** The parameters of a call under the names that its tool gave them. */
import type { JsonObject, Tool } from "@kedge/protocol";

/**
 * Models that know other tools write `file_path` or `file-path` for `filePath`. Such a name stands for the parameter that
 * is spelled with the same letters, where the call has no other value for it and the tool takes no names of its own.
 */
export function knownNames({ inputSchema }: Pick<Tool, "inputSchema">, given: JsonObject): JsonObject {
  const { properties, additionalProperties } = inputSchema;
  if (properties === undefined || (additionalProperties !== undefined && additionalProperties !== false)) return given;
  const isKnown = (name: string) => Object.hasOwn(properties, name);
  const unknown = Object.keys(given).filter((name) => !isKnown(name));
  if (unknown.length === 0 || unknown.length > unknownMax) return given;
  const meant = new Map<string, string>();
  for (const name of Object.keys(properties)) if (!Object.hasOwn(given, name)) meant.set(lettersOf(name), name);
  const named = Object.entries(given).map(([name, value]) => {
    const known = isKnown(name) ? undefined : meant.get(lettersOf(name));
    // The first of two spellings counts; the second stays unknown.
    if (known !== undefined) meant.delete(lettersOf(name));
    return [known ?? name, value] as const;
  });
  return Object.fromEntries(named);
}

/** A call with more of them is beyond help. */
const unknownMax = 20;

function lettersOf(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}
