/** What kind of answer a question wants, and which notes hold one: a time, a place, a person, a number, a reason. */

export type AnswerKind = "time" | "place" | "person" | "number" | "reason";

const asking: readonly (readonly [AnswerKind, RegExp])[] = [
  ["time", /\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how long ago|since when)\b/i],
  ["number", /\bhow (?:many|much|long|old|often|far|big|tall|quickly|fast)\b/i],
  ["place", /\b(?:where|which (?:city|country|town|place|state)|what (?:city|country|town|place|state))\b/i],
  ["person", /\b(?:who|whom|whose)\b/i],
  ["reason", /\b(?:why|what (?:made|caused|led|motivated|inspired)|what was the (?:reason|cause)|how come)\b/i],
];

const months = "january|february|march|april|may|june|july|august|september|october|november|december";
const days = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const holding: { readonly [Kind in AnswerKind]: RegExp } = {
  time: new RegExp(
    `\\b(?:yesterday|today|tomorrow|tonight|ago|last|next|since|recently|${days}|${months}|weekend|week|month|year|spring|summer|autumn|winter|\\d{1,2}(?:st|nd|rd|th))\\b`,
    "i",
  ),
  place: /\b(?:in|at|to|from|near|around|behind|on) (?:the |a |an |my |our |his |her )?(?:old |new )?\p{Lu}/u,
  person: /(?<=[\p{Ll},;] )\p{Lu}\p{Ll}+/u,
  number:
    /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|once|twice|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\S*)\b/i,
  reason: /\b(?:because|since|so that|reason|thanks to|due to|inspired|that's why|in order|wanted to|to help)\b/i,
};

/** The first that fits; undefined for a question that may be answered by anything. */
export function wantedKind(question: string): AnswerKind | undefined {
  return asking.find(([, shape]) => shape.test(question))?.[0];
}

export function holdsAnswer(kind: AnswerKind, text: string): boolean {
  return holding[kind].test(text);
}
