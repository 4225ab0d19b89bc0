/** Reads the lines that a path asks for, as in `src/a.ts:10-40,90-`. */

export type RangedPath = { readonly path: string; readonly includes: (line: number) => boolean };

type LineRange = { readonly first: number; readonly last: number };

const selector = /^(.+):(L?\d+(?:(?:-|\.\.)(?:L?\d+)?|\+\d+)?(?:,L?\d+(?:(?:-|\.\.)(?:L?\d+)?|\+\d+)?)*)$/s;

/** Undefined if the path asks for no lines, or for some that cannot be. */
export function parseRangedPath(text: string): RangedPath | undefined {
  const [, path, list] = selector.exec(text) ?? [];
  if (path === undefined || list === undefined) return undefined;
  const ranges = list.split(",").map(parseRange);
  if (ranges.some(({ first, last }) => first < 1 || last < first)) return undefined;
  return { path, includes: (line) => ranges.some(({ first, last }) => line >= first && line <= last) };
}

function parseRange(text: string): LineRange {
  const [, start, sign, end] = /^L?(\d+)(-|\.\.|\+)?L?(\d+)?$/.exec(text) ?? [];
  const first = Number(start);
  // One number alone means from there on.
  if (sign === undefined || end === undefined) return { first, last: Number.POSITIVE_INFINITY };
  return { first, last: sign === "+" ? first + Number(end) - 1 : Number(end) };
}
