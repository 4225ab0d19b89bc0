/** Ranks what was said: by whom the question is about, and whether it can hold the answer. */
import { type AnswerKind, holdsAnswer } from "./answer-kinds.ts";
import type { Talks } from "./find-talks.ts";
import type { Turns } from "./find-turns.ts";
import type { Wanted } from "./query-terms.ts";
import { termOf } from "./search-terms.ts";

const preferring = { speaker: 3, question: 0.6, kind: 2, absent: 0.25 };

/** Those that the question names, in small letters. */
export function askedSpeakers(speakers: readonly string[], question: string): readonly string[] {
  const words = new Set(question.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []);
  return [...new Set(speakers)].filter((name) => name !== "" && name.split(" ").some((word) => words.has(word)));
}

/** A name stands in every turn of its speaker and says little about one of them; it counts otherwise. */
export function withoutNames(wanted: readonly Wanted[], speakers: readonly string[]): readonly Wanted[] {
  const names = new Set(speakers.flatMap((name) => name.split(" ").map(termOf)));
  const rest = wanted.filter(({ forms }) => !names.has(forms[0]?.term ?? ""));
  return rest.length > 0 ? rest : wanted;
}

export function preferTurns(
  turns: Turns,
  scores: Float64Array,
  { speakers, kind }: { readonly speakers: readonly string[]; readonly kind: AnswerKind | undefined },
): void {
  for (let note = 0; note < scores.length; note++) {
    let score = scores[note] as number;
    if (score === 0) continue;
    if (speakers.includes(turns.speakers[note] ?? "")) score *= preferring.speaker;
    if (turns.isQuestion[note]) score *= preferring.question;
    if (kind !== undefined && holdsAnswer(kind, turns.said[note] ?? "")) score *= preferring.kind;
    scores[note] = score;
  }
}

/** A conversation between other people than those who are named is rarely meant. */
export function preferTalks({ speakersOf }: Talks, scores: Float64Array, speakers: readonly string[]): void {
  if (speakers.length === 0) return;
  for (let note = 0; note < scores.length; note++) {
    if (speakers.some((name) => speakersOf[note]?.has(name))) continue;
    scores[note] = (scores[note] as number) * preferring.absent;
  }
}
