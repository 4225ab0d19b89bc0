/** Gives the files in the results of a search their tags, so that a model can edit by line without reading them first. */
import type { ToolContext } from "@kedge/protocol";
import { loadText } from "../../file-content.ts";
import { shortPath } from "../../tool-path.ts";
import { findPlace } from "../change-guards.ts";
import { type LineRange, linesOf, normaliseText } from "./lines.ts";
import { tagHeader, tagRow } from "./render-tagged.ts";
import type { VersionStore } from "./versions.ts";

export type SearchTags = {
  readonly versions: VersionStore;
  /** Whether files at this true path may be edited at all. Default: all may. */
  readonly isEditable?: (path: string) => boolean;
};

/** `text` is what is shown of the line; an ellipsis stands for an end that is cut off. */
export type SearchRow = { readonly line: number; readonly text: string; readonly isMatch: boolean };

export type TaggedFile = { readonly header: string; readonly rows: readonly string[] };

/**
 * Undefined where there is no tag: in other ways of editing, for what cannot be edited by line, and for a file that is
 * no longer what was searched.
 */
export function tagSearchedFile(
  path: string,
  rows: readonly SearchRow[],
  context: ToolContext,
  tags: SearchTags | undefined,
): TaggedFile | undefined {
  if (tags === undefined || context.editMode !== "hashline") return undefined;
  const name = shortPath(path, context.cwd);
  const place = findPlace(path, context.cwd);
  if (!place.ok || tags.isEditable?.(place.path) === false || /[\r\n]/.test(name)) return undefined;
  const loaded = loadText(place.path);
  if (loaded.kind !== "text") return undefined;
  const lines = linesOf(normaliseText(loaded.text));
  const shown: LineRange[] = [];
  for (const { line, text } of rows) {
    const present = lines[line - 1];
    if (present === text) shown.push({ first: line, last: line });
    // Of a line that was cut the model has not seen enough to replace it.
    else if (present === undefined || !isCutOf(text, present)) return undefined;
  }
  const version = tags.versions.record(place.path, loaded.text, shown);
  if (version === undefined) return undefined;
  return {
    header: tagHeader(name, version.tag),
    rows: rows.map(({ line, text, isMatch }) => tagRow(line, text, isMatch ? "*" : " ")),
  };
}

function isCutOf(text: string, line: string): boolean {
  return text.endsWith("…") && line.slice(0, text.length - 1).toWellFormed() === text.slice(0, -1).toWellFormed();
}
