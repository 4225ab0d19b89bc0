/** Cuts a text without a syntax tree: windows of lines that overlap, with the names that lines seem to define. */

/** A stretch of a file that is found as one; lines are counted from 1, both ends included. */
export type Chunk = {
  readonly first: number;
  readonly last: number;
  /** What a reader would call it; empty if it has no name. */
  readonly symbol: string;
  /** The definitions around it, joined by dots. */
  readonly scope: string;
  /** Every name that is defined in it. */
  readonly names: readonly string[];
};

const windowLines = 60;
const overlapLines = 10;
const labelNamesMax = 3;

const modifier =
  "public|private|protected|internal|fileprivate|static|abstract|final|sealed|open|override|virtual|async|suspend|inline|export|local|partial|data|case";
const keyword =
  "def|func|fun|fn|function|sub|proc|class|interface|struct|trait|enum|module|namespace|protocol|object|record|defn|defmodule";
const definitionLine = new RegExp(
  `^[ \\t]*\\(?(?:(?:${modifier})[ \\t]+)*(?:${keyword})[ \\t]+([\\p{L}_$][\\p{L}\\p{N}\\p{M}_$.:?!-]*)`,
  "u",
);

export function chunkLines(lines: readonly string[]): readonly Chunk[] {
  const lastLine = lines.findLastIndex((line) => line.trim() !== "") + 1;
  return windowsOf(1, lastLine).flatMap(({ first, last }) => {
    const shown = lines.slice(first - 1, last);
    if (shown.every((line) => line.trim() === "")) return [];
    const names = shown.flatMap((line) => definitionLine.exec(line)?.[1] ?? []);
    return [{ first, last, symbol: labelOf(names), scope: "", names }];
  });
}

export function windowsOf(first: number, last: number): readonly { readonly first: number; readonly last: number }[] {
  const windows: { first: number; last: number }[] = [];
  for (let start = first; start <= last; start += windowLines - overlapLines) {
    windows.push({ first: start, last: Math.min(start + windowLines - 1, last) });
    if (start + windowLines > last) break;
  }
  return windows;
}

/** The first names, and how many there are besides. */
export function labelOf(names: readonly string[]): string {
  const different = [...new Set(names)];
  const more = different.length - labelNamesMax;
  return different.slice(0, labelNamesMax).join(", ") + (more > 0 ? `, +${more}` : "");
}
