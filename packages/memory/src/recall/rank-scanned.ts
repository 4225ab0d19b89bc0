/** Ranks topics for a prompt without a model, by what their heads say. */
import { searchNotes } from "../search/index.ts";
import type { ScannedNote } from "./scan-notes.ts";
import { selectedMax } from "./select-notes.ts";

const queryCharactersMax = 2_000;

/** The files that fit best, the best first. */
export function rankScanned(notes: readonly ScannedNote[], query: string): readonly string[] {
  const heads = notes.map(({ file, name, description }) => ({ id: file, text: `${name}\n${description}` }));
  return searchNotes(heads, query.slice(0, queryCharactersMax), selectedMax).map(({ id }) => id);
}
