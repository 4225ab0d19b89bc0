/** Dates in a text, in one form each, so that `7 May 2023`, `May 7th, 2023` and `2023-05-07` are the same term. */

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthName =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthName}\\b\\.?,?(?: (\\d{4})\\b)?`, "gi");
const monthFirst = new RegExp(`\\b${monthName}\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d),?(?: (\\d{4})\\b)?`, "gi");
const monthOnly = new RegExp(`\\b${monthName}\\.?,?(?: of)? (\\d{4})\\b`, "gi");
const numbers = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/g;

/** A day is also found by its month, and by its day in any year. */
export function dateTerms(text: string): readonly string[] {
  // Nearly all texts have no date, and a digit is the cheapest thing to look for.
  if (!/\d/.test(text)) return [];
  const terms = new Set<string>();
  for (const found of datesIn(text)) addDate(terms, found);
  return [...terms];
}

/** The whole dates of a text, in days since 1970. */
export function daysIn(text: string): readonly number[] {
  if (!/\d/.test(text)) return [];
  return [...datesIn(text)].flatMap(({ year, month, day }) => {
    if (year === undefined || day === undefined || month < 1 || month > 12) return [];
    return [Date.UTC(Number(year), month - 1, Number(day)) / 86_400_000];
  });
}

type Found = { readonly year: string | undefined; readonly month: number; readonly day: string | undefined };

function* datesIn(text: string): Generator<Found> {
  for (const [, year, month, day] of text.matchAll(numbers)) yield { year, month: Number(month), day };
  for (const [, day, name, year] of text.matchAll(dayFirst)) yield { year, month: monthOf(name), day };
  for (const [, name, day, year] of text.matchAll(monthFirst)) yield { year, month: monthOf(name), day };
  for (const [, name, year] of text.matchAll(monthOnly)) yield { year, month: monthOf(name), day: undefined };
}

function addDate(terms: Set<string>, { year, month, day }: Found): void {
  if (month < 1 || month > 12) return;
  if (day !== undefined && (Number(day) < 1 || Number(day) > 31)) return;
  if (year !== undefined) terms.add(`@${year}-${month}`);
  if (day !== undefined) terms.add(`@${month}-${Number(day)}`);
}

function monthOf(name: string | undefined): number {
  return months.indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1;
}
