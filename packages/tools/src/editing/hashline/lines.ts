/** Lines as the line-addressed language counts them, and changes of lines put into a text without touching its other bytes. */
import { byteOrderMark, lineEndingOf } from "../../file-content.ts";

/** Both ends included, counted from 1. */
export type LineRange = { readonly first: number; readonly last: number };

/** Lists of changes are in order, do not overlap, and all speak of the text before the first of them. */
export type LineChange = {
  /** Index from 0 of the first line that goes, or before which lines come in. */
  readonly index: number;
  readonly removed: number;
  readonly added: readonly string[];
  /** The text ends in a newline afterwards, whether or not it did before. */
  readonly endsText?: true;
};

/** The form that tags are taken of: no byte order mark, line feeds only. */
export function normaliseText(text: string): string {
  const plain = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  return plain.includes("\r") ? plain.replace(/\r\n?/g, "\n") : plain;
}

/** Of a normalised text. A newline ends a line; it does not begin another one. */
export function linesOf(normalised: string): readonly string[] {
  if (normalised === "") return [];
  return (normalised.endsWith("\n") ? normalised.slice(0, -1) : normalised).split("\n");
}

const rowWithEnding = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;
const finalEnding = /(?:\r\n|\r|\n)$/;

/** Untouched lines keep their own endings, new ones get the prevailing one. */
export function applyChanges(text: string, changes: readonly LineChange[]): string {
  const rows = text.match(rowWithEnding) ?? [];
  const ending = prevailingEnding(text);
  const result: string[] = [];
  let next = 0;
  for (const change of changes) {
    for (; next < change.index; next += 1) result.push(rows[next] ?? "");
    for (const line of change.added) result.push(line + ending);
    next += change.removed;
  }
  for (; next < rows.length; next += 1) result.push(rows[next] ?? "");
  return endText(result, { ending, endsText: endsText(text) || changes.some((change) => change.endsText === true) });
}

function endText(rows: readonly string[], { ending, endsText }: { ending: string; endsText: boolean }): string {
  const last = rows.length - 1;
  return rows
    .map((row, index) => {
      if (index < last || endsText) return finalEnding.test(row) ? row : row + ending;
      return row.replace(finalEnding, "");
    })
    .join("");
}

/** An empty text lacks nothing at its end. */
function endsText(text: string): boolean {
  return text === "" || text.endsWith("\n") || text.endsWith("\r");
}

function prevailingEnding(text: string): "\n" | "\r\n" | "\r" {
  return lineEndingOf(text) ?? (text.includes("\r") ? "\r" : "\n");
}

/** Where the line of this index is after the changes; undefined if it is gone. */
export function shiftIndex(index: number, changes: readonly LineChange[]): number | undefined {
  let shifted = index;
  for (const change of changes) {
    if (index < change.index) break;
    if (index < change.index + change.removed) return undefined;
    shifted += change.added.length - change.removed;
  }
  return shifted;
}

/** The same change without the lines at both ends that stay as they are; undefined if nothing is left. */
export function trimChange(change: LineChange, lines: readonly string[]): LineChange | undefined {
  const { index, removed, added } = change;
  const shorter = Math.min(removed, added.length);
  let head = 0;
  while (head < shorter && lines[index + head] === added[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && lines[index + removed - 1 - tail] === added[added.length - 1 - tail]) tail += 1;
  if (head + tail === removed && removed === added.length && change.endsText === undefined) return undefined;
  return {
    ...change,
    index: index + head,
    removed: removed - head - tail,
    added: added.slice(head, added.length - tail),
  };
}

/** One change that covers all differences of two normalised texts; none if they are equal. */
export function changeBetween(before: string, after: string): readonly LineChange[] {
  const lines = linesOf(before);
  const whole: LineChange = { index: 0, removed: lines.length, added: linesOf(after) };
  const change = trimChange(whole, lines);
  return change === undefined ? [] : [change];
}
