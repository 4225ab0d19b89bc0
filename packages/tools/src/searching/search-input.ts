/** Reads the inputs that the search tools share: one path, several, or a list that was sent as one string. */
import { isJsonObject, type JsonSchema, type Parsed } from "@kedge/protocol";
import { parseInput } from "../tool-input.ts";

export type PathsInput = { readonly path?: string; readonly paths?: readonly string[] };

export function parseSearchInput<Input extends PathsInput>(schema: JsonSchema, input: unknown): Parsed<Input> {
  const parsed = parseInput<Input>(schema, isJsonObject(input) ? { ...input, ...listOfPaths(input["paths"]) } : input);
  if (!parsed.ok) return parsed;
  const { path, paths = [] } = parsed.input;
  const isBlank = [path, ...paths].some((text) => text !== undefined && text.trim() === "");
  if (isBlank)
    return { ok: false, report: "path and the entries of paths must not be empty; leave out what you do not need." };
  return parsed;
}

function listOfPaths(paths: unknown): { readonly paths?: unknown } {
  return typeof paths === "string" && !paths.trimStart().startsWith("[") ? { paths: [paths] } : {};
}
