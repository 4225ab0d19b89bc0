/** Where a block that grew too large is cut in two, and what its second part needs to be understood. */
import type { MarkdownToken } from "./lex-markdown.ts";

export type CutPoint = {
  readonly end: number;
  /** Put before the rest: the head of a table, without which its rows would be plain text. */
  readonly carried: string;
};

/** A longer head would be read again with every part of its table. */
const headMax = 1024;
const itemStart = /\n(?=(?:[-*+]|\d{1,9}[.)]) )/g;
const lineEnds = /\n/g;
const spaces = / /g;

/** The last place that fits: before an item of a list, at a line end, at a space, and only then anywhere. */
export function cutPoint({ type, raw }: Pick<MarkdownToken, "type" | "raw">, max: number): CutPoint {
  const found = (type === "list" ? lastMatchEnd(raw, itemStart, max) : 0) || lastMatchEnd(raw, lineEnds, max);
  if (type === "table") {
    const headEnd = raw.indexOf("\n", raw.indexOf("\n") + 1) + 1;
    if (headEnd > 0 && headEnd < headMax && found > headEnd) return { end: found, carried: raw.slice(0, headEnd) };
  }
  return { end: found || lastMatchEnd(raw, spaces, max) || betweenCharacters(raw, max), carried: "" };
}

function lastMatchEnd(text: string, pattern: RegExp, max: number): number {
  let end = 0;
  for (const match of text.slice(0, max).matchAll(pattern)) end = match.index + 1;
  return end;
}

function betweenCharacters(text: string, max: number): number {
  const code = text.charCodeAt(max - 1);
  const isFirstHalf = code >= 0xd800 && code <= 0xdbff;
  return isFirstHalf ? max - 1 : max;
}
