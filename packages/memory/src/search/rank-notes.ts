/** Ranks notes for a question without a model: by its words, and between them what the best notes lead to. */
import { wantedKind } from "./answer-kinds.ts";
import { daysIn } from "./date-terms.ts";
import { leadsFrom } from "./follow-leads.ts";
import { createNoteIndex, type Note, type NoteIndex } from "./note-index.ts";
import { askedSpeakers, preferTalks, preferTurns, withoutNames } from "./prefer-turns.ts";
import { wantedTerms } from "./query-terms.ts";
import { scoreNotes } from "./score-notes.ts";
import { preferDays } from "./told-days.ts";

export type NoteHit = {
  readonly id: string;
  readonly score: number;
  /** Where in the text of the note it fits best, from 1. */
  readonly line: number;
};

/** Terms of a note, on average, up to which what it names leads on. */
const leadingLength = 100;

/** Where a note stands that the best, second and third hit lead to: behind what the words alone put there. */
const leadPlaces = [2, 4, 6, 8];

/** For few notes that are searched once. */
export function searchNotes(notes: readonly Note[], question: string, limit: number): readonly NoteHit[] {
  return rankNotes(createNoteIndex(notes), question, limit);
}

export function rankNotes(index: NoteIndex, question: string, limit: number): readonly NoteHit[] {
  const all = wantedTerms(question, index).filter(({ forms }) => forms.length > 0);
  if (all.length === 0 || limit <= 0) return [];
  const speakers = askedSpeakers((index.turns ?? index.talks)?.speakers ?? [], question);
  const wanted = index.turns === undefined ? all : withoutNames(all, speakers);
  const { notes, passageOf } = scoreNotes(index, wanted, speakers);
  if (index.talks !== undefined) preferTalks(index.talks, notes, speakers);
  if (index.turns !== undefined) preferTurns(index.turns, notes, { speakers, kind: wantedKind(question) });
  preferDays(index.toldDays, notes, daysIn(question));
  const order = bestNotes(notes, limit + leadPlaces.length);
  const seeds = hasLeads(index) ? order.slice(0, leadPlaces.length) : [];
  for (const [at, seed] of seeds.entries()) {
    const lead = leadsFrom(index, wanted, { note: seed, passage: passageOf[seed] as number });
    const place = leadPlaces[at] as number;
    if (lead === undefined || order.slice(0, place).includes(lead)) continue;
    const before = order.indexOf(lead);
    if (before !== -1) order.splice(before, 1);
    order.splice(place, 0, lead);
  }
  let lowest = Number.POSITIVE_INFINITY;
  return order.slice(0, limit).map((note) => {
    // A score says where a hit stands: none is above the one before it.
    lowest = Math.min(lowest, (notes[note] as number) || lowest);
    return { id: index.ids[note] ?? "", score: lowest, line: index.lineOfPassage[passageOf[note] as number] ?? 1 };
  });
}

/** A conversation or a long note is about many things: what it names leads elsewhere more often than not. */
function hasLeads({ turns, talks, averageNote }: NoteIndex): boolean {
  return (turns ?? talks) === undefined && averageNote <= leadingLength;
}

function bestNotes(scores: Float64Array, limit: number): number[] {
  const found = [...scores.keys()].filter((note) => (scores[note] as number) > 0);
  return found
    .sort((left, right) => (scores[right] as number) - (scores[left] as number) || left - right)
    .slice(0, limit);
}
