/** Finds the part of a text that most resembles what was looked for. */
import { similarity } from "@kedge/protocol";

export type Region = { readonly line: number; readonly text: string };

const regionLinesMax = 10;
const searchedLinesMax = 20_000;
const similarLineMin = 0.5;

/** Found by the most telling line of what was looked for. */
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
