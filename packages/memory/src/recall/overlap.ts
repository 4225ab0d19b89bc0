/** Ranks topics for a prompt without a model, by the words they share with it. */
import { keywordsOf, sharedCount } from "../topics/knowledge/keywords.ts";
import type { ScannedNote } from "./scan-notes.ts";
import { selectedMax } from "./select-notes.ts";

/** The files that fit best, the best first. */
export type RankNotes = (notes: readonly ScannedNote[], query: string) => readonly string[];

const queryCharactersMax = 2_000;

export const rankByOverlap: RankNotes = (notes, query) => {
  const wanted = keywordsOf(query.slice(0, queryCharactersMax));
  const scored = notes.map((note) => {
    const words = keywordsOf(`${note.file.replace(/\.md$/, "").replaceAll("-", " ")} ${note.name} ${note.description}`);
    return { note, score: sharedCount(wanted, words) };
  });
  const found = scored.filter(({ score }) => score > 0);
  found.sort((one, other) => other.score - one.score || other.note.changedAt - one.note.changedAt);
  return found.slice(0, selectedMax).map(({ note }) => note.file);
};
