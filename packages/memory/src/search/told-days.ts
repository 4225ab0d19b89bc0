/** When a note was written, and which days it means by `yesterday`, `last Friday` or `two weeks ago`. */
import { daysIn } from "./date-terms.ts";

const dayMs = 86_400_000;
/** A date stands at the top of a note, or in its name. */
const headCharactersMax = 300;

/** Days since 1970; undefined where the note does not say. */
export function toldDay(name: string, text: string): number | undefined {
  return daysIn(text.slice(0, headCharactersMax))[0] ?? daysIn(name)[0];
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const counts: { readonly [word: string]: number } = {
  ...{ a: 1, an: 1, one: 1, two: 2, "a couple of": 2, "couple of": 2, three: 3, "a few": 3, few: 3 },
  ...{ four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
};
const count = `(${Object.keys(counts)
  .sort((left, right) => right.length - left.length)
  .join("|")}|\\d{1,2})`;
const relative = new RegExp(
  [
    "\\b(?<before>the day before yesterday|yesterday|last night)\\b",
    "\\b(?<after>tomorrow)\\b",
    `\\b(?<past>last|this past|on) (?:${weekdays.map((each) => `(?<${each}>${each.slice(0, 3)}(?:${each.slice(3)})?)`).join("|")})\\b`,
    "\\b(?:last|over the|at the|this past|past|this) (?<weekend>weekend)\\b",
    "\\b(?<which>last|next|this) (?<unit>week|month|year)\\b",
    `\\b(?<count>${count}) (?<many>day|week|month|year)s? (?:ago|back|earlier)\\b`,
  ].join("|"),
  "gi",
);

/** Terms of the days, months and years that a text of this day means, in the form of `dateTerms`. */
export function relativeTerms(text: string, told: number): readonly string[] {
  const terms = new Set<string>();
  for (const { groups = {} } of text.matchAll(relative)) addMeant(terms, groups, told);
  return [...terms];
}

function addMeant(terms: Set<string>, groups: { readonly [name: string]: string | undefined }, told: number): void {
  const { before, after, past, weekend, which, unit, many } = groups;
  const weekday = weekdays.findIndex((each) => groups[each] !== undefined);
  if (before !== undefined) addDay(terms, told - (before.toLowerCase().startsWith("the") ? 2 : 1));
  else if (after !== undefined) addDay(terms, told + 1);
  else if (past !== undefined && weekday !== -1) addDay(terms, dayBefore(told, weekday));
  else if (weekend !== undefined) for (const day of [6, 0]) addDay(terms, dayBefore(told, day));
  else if (unit !== undefined) addUnits(terms, unit, { last: -1, next: 1 }[which?.toLowerCase() ?? ""] ?? 0, told);
  else if (many !== undefined) {
    const written = (groups["count"] ?? "").toLowerCase();
    const number = counts[written] ?? Number(written);
    if (many.toLowerCase() === "day") addDay(terms, told - number);
    else addUnits(terms, many, -number, told);
  }
}

function addUnits(terms: Set<string>, unit: string, number: number, told: number): void {
  const date = dateOf(told);
  const name = unit.toLowerCase();
  if (name === "week") addMonth(terms, dateOf(told + 7 * number));
  else if (name === "month") addMonth(terms, new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + number, 1)));
  else terms.add(String(date.getUTCFullYear() + number));
}

function addDay(terms: Set<string>, day: number): void {
  const date = dateOf(day);
  addMonth(terms, date);
  terms.add(`@${date.getUTCMonth() + 1}-${date.getUTCDate()}`);
}

function addMonth(terms: Set<string>, date: Date): void {
  terms.add(`@${date.getUTCFullYear()}-${date.getUTCMonth() + 1}`);
}

function dayBefore(told: number, weekday: number): number {
  return told - (((dateOf(told).getUTCDay() - weekday + 6) % 7) + 1);
}

function dateOf(day: number): Date {
  return new Date(day * dayMs);
}

/** What happened on a day is told then or soon after. */
const soon = { days: 14, share: 0.6 };

export function preferDays(
  told: readonly (number | undefined)[],
  scores: Float64Array,
  asked: readonly number[],
): void {
  if (asked.length === 0) return;
  for (let note = 0; note < scores.length; note++) {
    const day = told[note];
    if (day === undefined) continue;
    const nearest = Math.min(...asked.map((each) => (day < each ? Number.POSITIVE_INFINITY : day - each)));
    if (nearest > soon.days) continue;
    scores[note] = (scores[note] as number) * (1 + soon.share * (1 - nearest / (soon.days + 1)));
  }
}
