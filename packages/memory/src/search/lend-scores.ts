/** What is said in a conversation is understood from what was said around it: scores are lent to neighbours. */
import type { Turns } from "./find-turns.ts";

const lending = {
  following: [0.6, 0.5, 0.4, 0.3],
  preceding: [0.35, 0.25],
};

/** Between turns that are notes of their own. The turn behind one that only asks is as good as that one. */
export function lendToTurns({ before, after, isQuestion }: Turns, scores: Float64Array): void {
  const own = scores.slice();
  for (let note = 0; note < own.length; note++) {
    const score = own[note] as number;
    if (score === 0) continue;
    const next = after[note] as number;
    lend(scores, score, { at: note, shares: lending.following, neighbour: (at) => after[at] as number });
    lend(scores, score, { at: note, shares: lending.preceding, neighbour: (at) => before[at] as number });
    if (isQuestion[note] && next >= 0) raise(scores, next, score);
  }
}

/** Between the passages of one note. */
export function lendToPassages(noteOfPassage: readonly number[], scores: Float64Array): void {
  const own = scores.slice();
  const inNote = (at: number, note: number | undefined) => (noteOfPassage[at] === note ? at : -1);
  for (let passage = 0; passage < own.length; passage++) {
    const score = own[passage] as number;
    if (score === 0) continue;
    const note = noteOfPassage[passage];
    lend(scores, score, { at: passage, shares: lending.following, neighbour: (at) => inNote(at + 1, note) });
    lend(scores, score, { at: passage, shares: lending.preceding, neighbour: (at) => inNote(at - 1, note) });
  }
}

type Way = {
  readonly at: number;
  readonly shares: readonly number[];
  /** Below zero at an end. */
  readonly neighbour: (at: number) => number;
};

function lend(scores: Float64Array, score: number, { at: start, shares, neighbour }: Way): void {
  let at = start;
  for (const share of shares) {
    at = neighbour(at);
    if (at < 0) return;
    raise(scores, at, score * share);
  }
}

function raise(scores: Float64Array, at: number, score: number): void {
  if (score > (scores[at] as number)) scores[at] = score;
}
