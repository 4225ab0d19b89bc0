/** Turns days that only make sense on the day of writing into dates. */

const dayMs = 86_400_000;

const offsets: { readonly [word: string]: number } = {
  today: 0,
  yesterday: -1,
  tomorrow: 1,
};

/** What cannot be turned into one day; lint names it. */
export const vagueDate =
  /\b(?:(?:last|next|this) (?:week|month|quarter|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:\d+|a few|some) (?:days|weeks|months) ago|recently|currently|these days|right now)\b/i;

/** `nowMs` is the day of writing. Words in code stay. */
export function withAbsoluteDates(text: string, nowMs: number): string {
  return text
    .split(/(`[^`\n]*`)/)
    .map((piece) => (piece.startsWith("`") ? piece : datesIn(piece, nowMs)))
    .join("");
}

function datesIn(text: string, nowMs: number): string {
  return text.replaceAll(/\b(today|yesterday|tomorrow)\b(?!['’-])/gi, (word: string) =>
    dayText(nowMs + (offsets[word.toLowerCase()] ?? 0) * dayMs),
  );
}

export function dayText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, "2000-01-01".length);
}
