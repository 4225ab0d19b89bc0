/** Finds the part of a text that most resembles what was looked for. */
import { similarity } from "@kedge/protocol";

export type Region = { readonly line: number; readonly text: string };

const regionLinesMax = 10;
const searchedLinesMax = 20_000;
const similarLineMin = 0.5;
/** Lines this close to the best one are told apart by what stands around them. */
const tieWidth = 0.05;
const tiesMax = 20;

/** Found by the most telling line of what was looked for. */
export function similarRegion(text: string, wanted: string): Region | undefined {
  const wantedLines = wanted.split("\n");
  const anchor = wantedLines.reduce((best, line, index) => {
    return line.trim().length > (wantedLines[best] ?? "").trim().length ? index : best;
  }, 0);
  const lines = text.split(/\r?\n/);
  const similar: { readonly index: number; readonly score: number }[] = [];
  let bestScore = similarLineMin;
  for (let index = 0; index < Math.min(lines.length, searchedLinesMax); index++) {
    const score = similarity(wantedLines[anchor] ?? "", lines[index] ?? "");
    if (score < bestScore - tieWidth || score <= similarLineMin) continue;
    similar.push({ index, score });
    bestScore = Math.max(bestScore, score);
  }
  const ties = similar.filter(({ score }) => score >= bestScore - tieWidth).slice(0, tiesMax);
  const best = pickByNeighbours(ties, (index, offset) => {
    const expected = wantedLines[anchor + offset];
    const found = lines[index + offset];
    return expected === undefined || found === undefined ? 0 : similarity(expected, found);
  });
  if (best === undefined) return undefined;
  const shownLines = Math.min(wantedLines.length, regionLinesMax);
  const start = Math.max(0, best - Math.min(anchor, shownLines - 1));
  return regionAt(lines, start + 1, wantedLines.length);
}

/** The region that begins at this line, cut to what is worth showing. */
export function regionAt(lines: readonly string[], line: number, lineCount: number): Region {
  const shown = lines.slice(line - 1, line - 1 + Math.min(lineCount, regionLinesMax));
  return { line, text: shown.join("\n") };
}

const neighbourLines = 4;

function pickByNeighbours(
  ties: readonly { readonly index: number; readonly score: number }[],
  likeness: (index: number, offset: number) => number,
): number | undefined {
  let best: number | undefined;
  let bestTotal = -1;
  for (const { index, score } of ties) {
    let total = ties.length === 1 ? 0 : score;
    for (let offset = 1; ties.length > 1 && offset <= neighbourLines; offset += 1)
      total += likeness(index, offset) + likeness(index, -offset);
    if (total <= bestTotal) continue;
    best = index;
    bestTotal = total;
  }
  return best;
}
