/** Turns what a model sent into a tool's typed input: lossless repairs first, then the schema, then known names only. */
import { isJsonObject, type JsonSchema, type Parsed, parseBySchema } from "@kedge/protocol";

export function parseInput<Input>(schema: JsonSchema, input: unknown): Parsed<Input> {
  return parseBySchema(schema, isJsonObject(input) ? keepKnown(schema, input) : input);
}

function keepKnown(schema: JsonSchema, input: { readonly [name: string]: unknown }): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = input[name];
    const optional = schema.required?.includes(name) !== true;
    // Several models send null for a parameter they leave out.
    if (value === undefined || (value === null && optional)) continue;
    kept[name] = typeof value === "string" ? repairString(property, value) : value;
  }
  return kept;
}

/** Models quote numbers, booleans and lists now and then; the text is taken for the value only if nothing is lost. */
function repairString(property: JsonSchema, text: string): unknown {
  switch (property.type) {
    case "number":
    case "integer":
      return String(Number(text)) === text.trim() ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "array":
      return parseList(text) ?? text;
    default:
      return text;
  }
}

function parseList(text: string): readonly unknown[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
