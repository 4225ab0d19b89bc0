/** Understands which pages of a document are wanted, such as `3` or `1-5`. */

export type PageRange = { readonly first: number; readonly last: number };

export const pagesMax = 20;
const rangePattern = /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})?\s*)?$/;

/** The pages to show of `total`; the first ones when none are named. A string says what is wrong. */
export function readPageRange(pages: string | undefined, total: number): PageRange | string {
  if (pages === undefined) return { first: 1, last: Math.min(total, pagesMax) };
  const match = rangePattern.exec(pages);
  if (match === null) return `pages must look like "3" or "1-5", not ${JSON.stringify(pages)}.`;
  const first = Number(match[1]);
  const isOpen = pages.includes("-") && match[2] === undefined;
  const last = isOpen ? first + pagesMax - 1 : Number(match[2] ?? first);
  if (first < 1 || last < first)
    return `pages ${pages} is not a range: pages count from 1, and the end follows the start.`;
  if (first > total) return `The document has only ${total} pages; page ${first} is past the end.`;
  if (last - first + 1 > pagesMax) return `pages ${pages} are too many; at most ${pagesMax} can be read at a time.`;
  return { first, last: Math.min(last, total) };
}
