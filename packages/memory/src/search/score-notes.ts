/** Scores notes for weighted terms: BM25 over notes, and over passages, of which the best of a note counts more. */
import type { Talks } from "./find-talks.ts";
import { lendToPassages, lendToTurns } from "./lend-scores.ts";
import type { NoteIndex } from "./note-index.ts";
import type { Wanted } from "./query-terms.ts";

export type Scores = {
  /** By the number of the note. */
  readonly notes: Float64Array;
  /** The best passage of each note, counted through all notes; -1 without any. */
  readonly passageOf: Int32Array;
  /** By passage, counted through all notes. */
  readonly passages: Float64Array;
};

const scoring = {
  saturation: 1.2,
  /** How long a passage, a turn or a conversation is, is chance and does not count. */
  noteLength: 0.5,
  /** What a passage counts that is said by somebody the question names. */
  speaker: 1.3,
};

/** `speakers` are those whom the question names, in small letters. */
export function scoreNotes(index: NoteIndex, wanted: readonly Wanted[], speakers: readonly string[] = []): Scores {
  const notes = new Float64Array(index.ids.length);
  const passages = new Float64Array(index.noteOfPassage.length);
  // Of one thing that is wanted, and empty again behind it.
  const inNote = new Float64Array(notes.length);
  const inPassage = new Float64Array(passages.length);
  const take = (passage: number) => {
    passages[passage] = (passages[passage] as number) + (inPassage[passage] as number);
    inPassage[passage] = 0;
    const note = index.noteOfPassage[passage] as number;
    notes[note] = (notes[note] as number) + (inNote[note] as number);
    inNote[note] = 0;
  };
  for (const { forms } of wanted) {
    for (const { term, weight } of forms) takeTerm(index, term, weight * rarityOf(index, term), { inNote, inPassage });
    if (index.turns !== undefined) lendToTurns(index.turns, inNote);
    if (index.talks !== undefined) lendToPassages(index.noteOfPassage, inPassage);
    if ((index.turns ?? index.talks) !== undefined) for (let at = 0; at < passages.length; at++) take(at);
    else for (const { term } of forms) index.postings.get(term)?.passages.forEach(take);
  }
  if (index.talks !== undefined) raiseSpeakers(index.talks, passages, speakers);
  return { notes, passages, passageOf: takeBest(index, notes, passages) };
}

export function rarityOf(index: NoteIndex, term: string): number {
  const count = index.noteCounts.get(term) ?? 0;
  return Math.log(1 + (index.ids.length - count + 0.5) / (count + 0.5));
}

/** Of several forms of one thing, the best counts. */
function takeTerm(
  { postings, noteOfPassage, noteLengths, averageNote, turns, talks }: NoteIndex,
  term: string,
  rarity: number,
  { inNote, inPassage }: { readonly inNote: Float64Array; readonly inPassage: Float64Array },
): void {
  const list = postings.get(term);
  if (list === undefined) return;
  const lengthShare = (turns ?? talks) === undefined ? scoring.noteLength : 0;
  let note = -1;
  let count = 0;
  const closeNote = () => {
    if (note < 0) return;
    const length = 1 - lengthShare + (lengthShare * (noteLengths[note] ?? 0)) / averageNote;
    inNote[note] = Math.max(inNote[note] as number, rarity * saturated(count, length));
  };
  for (const [at, passage] of list.passages.entries()) {
    const here = list.counts[at] ?? 0;
    inPassage[passage] = Math.max(inPassage[passage] as number, rarity * saturated(here, 1));
    // Passages lie in the order of their notes.
    if (noteOfPassage[passage] !== note) {
      closeNote();
      note = noteOfPassage[passage] ?? 0;
      count = 0;
    }
    count += here;
  }
  closeNote();
}

function raiseSpeakers({ speakers: speaking }: Talks, passages: Float64Array, speakers: readonly string[]): void {
  if (speakers.length === 0) return;
  for (let passage = 0; passage < passages.length; passage++) {
    if (!speakers.includes(speaking[passage] ?? "")) continue;
    passages[passage] = (passages[passage] as number) * scoring.speaker;
  }
}

/** Adds the best passage of each note to its score, and says which it is. */
function takeBest({ noteOfPassage, turns }: NoteIndex, notes: Float64Array, passages: Float64Array): Int32Array {
  const passageOf = new Int32Array(notes.length).fill(-1);
  for (let passage = 0; passage < passages.length; passage++) {
    const score = passages[passage] as number;
    const note = noteOfPassage[passage] as number;
    const best = passageOf[note] as number;
    if (score > (best < 0 ? 0 : (passages[best] as number))) passageOf[note] = passage;
  }
  // A turn is one passage and has counted as a note, with what its neighbours lent.
  if (turns !== undefined) return passageOf;
  for (const [note, passage] of passageOf.entries()) {
    if (passage >= 0) notes[note] = (notes[note] as number) + (passages[passage] as number);
  }
  return passageOf;
}

/** The second time a term occurs says less than the first, and in a long text less than in a short one. */
function saturated(count: number, length: number): number {
  return (count * (scoring.saturation + 1)) / (count + scoring.saturation * length);
}
