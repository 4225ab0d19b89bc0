/** How alike two short texts are, for suggestions after a near miss. */

const comparedCharactersMax = 200;

/** Share of common letter pairs, from 0 to 1; white space and case do not count. */
export function similarity(left: string, right: string): number {
  const first = plain(left);
  const second = plain(right);
  if (first === second) return 1;
  if (first.length < 2 || second.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let index = 0; index < first.length - 1; index++) {
    const pair = first.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let index = 0; index < second.length - 1; index++) {
    const pair = second.slice(index, index + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    common += 1;
  }
  return (2 * common) / (first.length + second.length - 2);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, "").slice(0, comparedCharactersMax).toLowerCase();
}

const similarNameMin = 0.4;

/** The most similar names first, none that is merely different. */
export function nearestNames(wanted: string, names: readonly string[], countMax: number): readonly string[] {
  return names
    .map((name) => ({ name, score: similarity(wanted, name) }))
    .filter(({ score }) => score >= similarNameMin)
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .slice(0, countMax)
    .map(({ name }) => name);
}

export type Region = { readonly line: number; readonly text: string };

const regionLinesMax = 10;
const searchedLinesMax = 20_000;
const similarLineMin = 0.5;

/** The part of a text that most resembles what was looked for, found by its most telling line. */
export function similarRegion(text: string, wanted: string): Region | undefined {
  const wantedLines = wanted.split("\n");
  const anchor = wantedLines.reduce((best, line, index) => {
    return line.trim().length > (wantedLines[best] ?? "").trim().length ? index : best;
  }, 0);
  const lines = text.split("\n");
  let bestIndex = -1;
  let bestScore = similarLineMin;
  for (let index = 0; index < Math.min(lines.length, searchedLinesMax); index++) {
    const score = similarity(wantedLines[anchor] ?? "", lines[index] ?? "");
    if (score <= bestScore) continue;
    bestIndex = index;
    bestScore = score;
  }
  if (bestIndex === -1) return undefined;
  const shownLines = Math.min(wantedLines.length, regionLinesMax);
  const start = Math.max(0, bestIndex - Math.min(anchor, shownLines - 1));
  return { line: start + 1, text: lines.slice(start, start + shownLines).join("\n") };
}
