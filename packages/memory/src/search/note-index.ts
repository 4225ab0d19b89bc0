/** The index of notes in memory: where each term occurs, by passage, so that words close together count more. */
import { findTalks, type Talks } from "./find-talks.ts";
import { findTurns, type Turns } from "./find-turns.ts";
import { termsOf } from "./search-terms.ts";
import { relativeTerms, toldDay } from "./told-days.ts";

export type Note = {
  /** What a hit is called, such as the name of its file. */
  readonly id: string;
  readonly title?: string;
  readonly text: string;
};

export type Postings = { readonly passages: number[]; readonly counts: number[] };

export type NoteIndex = {
  readonly ids: readonly string[];
  readonly postings: ReadonlyMap<string, Postings>;
  /** In how many notes a term occurs. */
  readonly noteCounts: ReadonlyMap<string, number>;
  /** Terms by their first letter, for words that occur nowhere as they were asked. */
  readonly vocabulary: ReadonlyMap<string, readonly string[]>;
  readonly noteOfPassage: readonly number[];
  /** From 1, in the text of the note. */
  readonly lineOfPassage: readonly number[];
  readonly noteLengths: readonly number[];
  /** The terms of each passage, from which a second round takes its words. */
  readonly passageTerms: readonly (readonly string[])[];
  readonly names: ReadonlySet<string>;
  readonly averageNote: number;
  /** When each note was written, in days since 1970. */
  readonly toldDays: readonly (number | undefined)[];
  /** Present where notes are what people said to each other. */
  readonly turns?: Turns;
  /** Present where each note is a whole conversation. */
  readonly talks?: Talks;
};

/** A longer line is cut into several passages. */
const passageCharactersMax = 600;
/** More of one note is not searched. */
const noteCharactersMax = 256 * 1024;

export function createNoteIndex(notes: readonly Note[]): NoteIndex {
  const postings = new Map<string, Postings>();
  const noteCounts = new Map<string, number>();
  const lastNote = new Map<string, number>();
  const noteOfPassage: number[] = [];
  const lineOfPassage: number[] = [];
  const noteLengths: number[] = [];
  const passageTerms: (readonly string[])[] = [];
  const names = new Set<string>();
  const known = new Map<string, string>();
  const passages: { readonly note: number; readonly text: string }[] = [];

  const toldDays = notes.map(({ id, title = "", text }) => toldDay(`${id} ${title}`, text));

  function addPassage(note: number, { text, line }: Passage): void {
    const told = toldDays[note];
    const meant = told === undefined ? [] : relativeTerms(text, told).map((term) => ({ text: term, isName: true }));
    const terms = [...termsOf(text, known), ...meant];
    if (terms.length === 0) return;
    const passage = noteOfPassage.length;
    const counts = new Map<string, number>();
    const pairs = new Set<string>();
    let before: string | undefined;
    for (const { text: term, isName } of terms) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      if (isName) names.add(term);
      if (before !== undefined && before !== term) pairs.add(pairOf(before, term));
      before = term;
    }
    for (const pair of pairs) counts.set(pair, 1);
    passageTerms.push([...counts.keys()]);
    for (const [term, count] of counts) {
      const list = postings.get(term) ?? { passages: [], counts: [] };
      if (list.passages.length === 0) postings.set(term, list);
      list.passages.push(passage);
      list.counts.push(count);
      if (lastNote.get(term) === note) continue;
      lastNote.set(term, note);
      noteCounts.set(term, (noteCounts.get(term) ?? 0) + 1);
    }
    passages.push({ note, text });
    noteOfPassage.push(note);
    lineOfPassage.push(line);
    noteLengths[note] = (noteLengths[note] ?? 0) + terms.length;
  }

  for (const [note, { id, title, text }] of notes.entries()) {
    noteLengths.push(0);
    addPassage(note, { text: [id.replace(/\.\w+$/, ""), title ?? ""].join("\n"), line: 1 });
    for (const passage of passagesOf(text.slice(0, noteCharactersMax))) addPassage(note, passage);
  }
  const turns = findTurns(notes);
  const talks = turns === undefined ? findTalks(passages, notes.length) : undefined;
  return {
    ...(turns !== undefined && { turns }),
    ...(talks !== undefined && { talks }),
    averageNote: average(noteLengths),
    ids: notes.map(({ id }) => id),
    toldDays,
    vocabulary: byFirstLetter([...postings.keys()].filter((term) => !term.includes(" "))),
    ...{ postings, noteCounts, noteOfPassage, lineOfPassage, noteLengths, passageTerms, names },
  };
}

/** Two terms in a row are a term as well: names of several words are told apart by it. */
export function pairOf(first: string, second: string): string {
  return `${first} ${second}`;
}

type Passage = { readonly text: string; readonly line: number };

/** Lines; a very long one in pieces. */
function* passagesOf(text: string): Generator<Passage> {
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    for (let start = 0; start < line.length; start += passageCharactersMax) {
      yield { text: line.slice(start, start + passageCharactersMax), line: at + 1 };
    }
  }
}

function byFirstLetter(terms: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const letters = new Map<string, string[]>();
  for (const term of terms) {
    const letter = term.slice(0, 1);
    const list = letters.get(letter);
    if (list === undefined) letters.set(letter, [term]);
    else list.push(term);
  }
  return letters;
}

function average(values: readonly number[]): number {
  return Math.max(1, values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
}
