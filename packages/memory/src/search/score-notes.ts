/** Scores notes for weighted terms: BM25 over notes and passages, and how much of what is wanted a note has at all. */
import type { Talks } from "./find-talks.ts";
import { lendToPassages, lendToTurns } from "./lend-scores.ts";
import type { NoteIndex } from "./note-index.ts";
import type { Wanted } from "./query-terms.ts";

export type Scores = {
  /** By the number of the note. */
  readonly notes: Float64Array;
  /** The best passage of each note, counted through all notes; -1 without any. */
  readonly passageOf: Int32Array;
  /** By passage, counted through all notes, with its neighbours. */
  readonly windows: Float64Array;
};

const scoring = {
  saturation: 1.2,
  noteLength: 0.5,
  /** How long a turn or a conversation is, is chance. */
  spokenLength: 0.2,
  passageLength: 0.4,
  /** What stands right before or after in a note counts with this share. */
  neighbour: 0.5,
  passageShare: 1.5,
  /** What a passage counts that is said by somebody the question names. */
  speaker: 1.3,
};

export type Scoring = {
  /** The share of a score that depends on how much of what is wanted the note has. */
  readonly coverage: number;
  /** Whom the question names, in small letters. */
  readonly speakers?: readonly string[];
};

export function scoreNotes(index: NoteIndex, wanted: readonly Wanted[], { coverage, speakers = [] }: Scoring): Scores {
  const noteTotal = index.ids.length;
  const passageTotal = index.noteOfPassage.length;
  const notes = new Float64Array(noteTotal);
  const covered = new Float64Array(noteTotal);
  const passages = new Float64Array(passageTotal);
  // Of one thing that is wanted, and empty again behind it.
  const inNote = new Float64Array(noteTotal);
  const inPassage = new Float64Array(passageTotal);
  let total = 0;
  let strongest = 0;
  const take = (passage: number) => {
    passages[passage] = (passages[passage] as number) + (inPassage[passage] as number);
    inPassage[passage] = 0;
    const note = index.noteOfPassage[passage] as number;
    const score = inNote[note] as number;
    if (score === 0) return;
    notes[note] = (notes[note] as number) + score;
    covered[note] = (covered[note] as number) + Math.min(strongest, score);
    inNote[note] = 0;
  };
  for (const { forms } of wanted) {
    strongest = 0;
    for (const { term, weight } of forms) {
      const rarity = weight * rarityOf(index, term);
      strongest = Math.max(strongest, rarity);
      takeTerm(index, term, rarity, { inNote, inPassage });
    }
    total += strongest;
    if (index.turns !== undefined) lendToTurns(index.turns, inNote);
    if (index.talks !== undefined) lendToPassages(index.noteOfPassage, inPassage);
    if ((index.turns ?? index.talks) !== undefined) for (let at = 0; at < passageTotal; at++) take(at);
    else for (const { term } of forms) index.postings.get(term)?.passages.forEach(take);
  }
  if (index.talks !== undefined) raiseSpeakers(index.talks, passages, speakers);
  return takeWindows(index, { notes, covered, passages, total, coverage });
}

export function rarityOf(index: NoteIndex, term: string): number {
  const count = index.noteCounts.get(term) ?? 0;
  return Math.log(1 + (index.ids.length - count + 0.5) / (count + 0.5));
}

/** Of several forms of one thing, the best counts. */
function takeTerm(
  { postings, noteOfPassage, passageLengths, noteLengths, averageNote, averagePassage, turns, talks }: NoteIndex,
  term: string,
  rarity: number,
  { inNote, inPassage }: { readonly inNote: Float64Array; readonly inPassage: Float64Array },
): void {
  const list = postings.get(term);
  if (list === undefined) return;
  const noteLength = (turns ?? talks) === undefined ? scoring.noteLength : scoring.spokenLength;
  let note = -1;
  let count = 0;
  const closeNote = () => {
    if (note < 0) return;
    const own = rarity * saturated(count, (noteLengths[note] ?? 0) / averageNote, noteLength);
    inNote[note] = Math.max(inNote[note] as number, own);
  };
  for (const [at, passage] of list.passages.entries()) {
    const here = list.counts[at] ?? 0;
    const own = rarity * saturated(here, (passageLengths[passage] ?? 0) / averagePassage, scoring.passageLength);
    inPassage[passage] = Math.max(inPassage[passage] as number, own);
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

type Raw = {
  readonly notes: Float64Array;
  readonly covered: Float64Array;
  readonly passages: Float64Array;
  readonly total: number;
  readonly coverage: number;
};

function takeWindows({ noteOfPassage, talks }: NoteIndex, { notes, covered, passages, total, coverage }: Raw): Scores {
  const windows = new Float64Array(passages.length);
  const bestWindow = new Float64Array(notes.length);
  const passageOf = new Int32Array(notes.length).fill(-1);
  // In a conversation, neighbours have lent their scores already.
  const neighbour = talks === undefined ? scoring.neighbour : 0;
  const near = (passage: number, note: number) => (noteOfPassage[passage] === note ? (passages[passage] as number) : 0);
  for (let passage = 0; passage < passages.length; passage++) {
    const own = passages[passage] as number;
    if (own === 0) continue;
    const note = noteOfPassage[passage] ?? 0;
    const score = own + neighbour * Math.max(near(passage - 1, note), near(passage + 1, note));
    windows[passage] = score;
    if (score <= (bestWindow[note] as number)) continue;
    bestWindow[note] = score;
    passageOf[note] = passage;
  }
  for (let note = 0; note < notes.length; note++) {
    const share = total === 0 ? 0 : (covered[note] as number) / total;
    const whole = (notes[note] as number) + scoring.passageShare * (bestWindow[note] as number);
    notes[note] = whole * (1 - coverage + coverage * share);
  }
  return { notes, passageOf, windows };
}

/** The second time a term occurs says less than the first, and in a long text less than in a short one. */
function saturated(count: number, relativeLength: number, lengthShare: number): number {
  const length = 1 - lengthShare + lengthShare * relativeLength;
  return (count * (scoring.saturation + 1)) / (count + scoring.saturation * length);
}
