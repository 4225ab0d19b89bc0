/** Reads fields as what a definition needs them to be. */
import type { Fields } from "./definition.ts";
import { splitList } from "./read-fields.ts";

/** Undefined where it is absent, empty or nested. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  return Array.isArray(value) && value.length > 0 ? value.join(", ") : undefined;
}

/** A list, or a text that is one: at commas, or at spaces where there is none. */
export function listField(fields: Fields, name: string): readonly string[] {
  const value = fields.get(name);
  if (typeof value === "string") return splitList(value.replace(/^\[|\]$/g, ""));
  return Array.isArray(value) ? value : [];
}

const yes: ReadonlySet<string> = new Set(["true", "yes", "on", "1"]);
const no: ReadonlySet<string> = new Set(["false", "no", "off", "0"]);

export function flagField(fields: Fields, name: string, otherwise: boolean): boolean {
  const value = textField(fields, name)?.toLowerCase() ?? "";
  if (yes.has(value)) return true;
  return no.has(value) ? false : otherwise;
}

/** A nested value as data; undefined where it is absent or not YAML. The library is loaded by the first call. */
export async function nestedField(fields: Fields, name: string): Promise<unknown> {
  const value = fields.get(name);
  if (typeof value !== "object" || !("yaml" in value)) return undefined;
  const { parse } = await import("yaml");
  try {
    return parse(value.yaml, { logLevel: "silent" });
  } catch {
    // It counts as absent; whoever lists definitions shows the note that the reader left.
    return undefined;
  }
}
