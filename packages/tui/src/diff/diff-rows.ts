/** Rows of a diff for a width, one column of lines below each other or two beside each other. */

import type { Highlighter } from "../syntax/highlighter.ts";
import { padLine } from "../syntax/line-width.ts";
import { type Line, restyle, span, type TextStyle } from "../syntax/styled-text.ts";
import { wrapAnywhere, wrapWords } from "../syntax/wrap-line.ts";
import { diffTexts } from "../texts/conversation.ts";
import type { Symbols } from "../theme/theme.ts";
import type { ShownHunk, ShownLine, ShownPart } from "./shown-diff.ts";

export type RowContext = {
  readonly width: number;
  readonly symbols: Symbols;
  readonly highlight: Highlighter;
  readonly language: string;
  /** Of the largest number of a line. */
  readonly digits: number;
};

type Colours = ReadonlyMap<ShownLine, Line>;
type Look = { readonly sign: string; readonly text: TextStyle; readonly row: TextStyle };

const looks: { readonly [Kind in ShownLine["kind"]]: Look } = {
  context: { sign: " ", text: { color: "toolDiffContext" }, row: {} },
  added: { sign: "+", text: { color: "toolDiffAdded" }, row: { background: "toolSuccessBg" } },
  removed: { sign: "-", text: { color: "toolDiffRemoved" }, row: { background: "toolErrorBg" } },
};
const quiet: TextStyle = { color: "dim" };
/** With less room for the text, the numbers go. */
const textWidthMin = 20;

export function unifiedRows({ parts }: ShownHunk, context: RowContext): readonly Line[] {
  const colours = coloursOf(parts, context);
  return parts.flatMap((part) => unifiedPart(part, colours, context));
}

function unifiedPart(part: ShownPart, colours: Colours, context: RowContext): readonly Line[] {
  switch (part.kind) {
    case "context":
      return numberedRows(part.line, colours, context);
    case "change": {
      const rows = [...part.removed, ...part.added].flatMap((line) => numberedRows(line, colours, context));
      return [...rows, ...spacingNote(part.isSpacingOnly, context)];
    }
    case "fold":
      return foldRows(part, context);
  }
}

export function splitRows({ parts }: ShownHunk, context: RowContext): readonly Line[] {
  const colours = coloursOf(parts, context);
  return parts.flatMap((part) => splitPart(part, colours, context));
}

function splitPart(part: ShownPart, colours: Colours, context: RowContext): readonly Line[] {
  switch (part.kind) {
    case "context":
      return besideRows({ left: part.line, right: part.line }, colours, context);
    case "change": {
      const { removed, added } = part;
      const rows = Array.from({ length: Math.max(removed.length, added.length) }, (_, index) =>
        besideRows({ left: removed[index], right: added[index] }, colours, context),
      );
      return [...rows.flat(), ...spacingNote(part.isSpacingOnly, context)];
    }
    case "fold":
      return foldRows(part, context);
  }
}

type Pair = { readonly left: ShownLine | undefined; readonly right: ShownLine | undefined };

function besideRows({ left, right }: Pair, colours: Colours, context: RowContext): readonly Line[] {
  const leftWidth = Math.max(1, Math.floor((context.width - 1) / 2));
  const rightWidth = Math.max(1, context.width - 1 - leftWidth);
  const leftRows = left === undefined ? [] : sideRows(left, left.oldNumber, colours, { ...context, width: leftWidth });
  const rightRows =
    right === undefined ? [] : sideRows(right, right.newNumber, colours, { ...context, width: rightWidth });
  return Array.from({ length: Math.max(leftRows.length, rightRows.length) }, (_, row) => [
    ...padLine(leftRows[row] ?? [], leftWidth),
    span(context.symbols.vertical, { color: "borderMuted" }),
    ...(rightRows[row] ?? []),
  ]);
}

/** Each side of a hunk is coloured as one text, so that comments and strings of several lines come out right. */
function coloursOf(parts: readonly ShownPart[], { highlight, language }: RowContext): Colours {
  const lines = parts.flatMap((part) =>
    part.kind === "context" ? [part.line] : part.kind === "change" ? [...part.removed, ...part.added] : [],
  );
  const colours = new Map<ShownLine, Line>();
  for (const side of ["removed", "added"] as const) {
    const sideLines = lines.filter(({ kind }) => kind === "context" || kind === side);
    const spans = highlight.spans(sideLines.map(({ text }) => text).join("\n"), language);
    for (const [index, line] of sideLines.entries()) colours.set(line, spans[index] ?? []);
  }
  return colours;
}

function numberedRows(line: ShownLine, colours: Colours, context: RowContext): readonly Line[] {
  const number = (value: number | undefined) => (value === undefined ? "" : `${value}`).padStart(context.digits);
  return lineRows(line, `${number(line.oldNumber)} ${number(line.newNumber)} `, colours, context);
}

function sideRows(line: ShownLine, number: number | undefined, colours: Colours, context: RowContext): readonly Line[] {
  return lineRows(line, `${(number === undefined ? "" : `${number}`).padStart(context.digits)} `, colours, context);
}

/** A line that is too long is wrapped: its sign stands on every row, its number on the first only. */
function lineRows(line: ShownLine, numbers: string, colours: Colours, { width, symbols }: RowContext): readonly Line[] {
  const { sign, text: textStyle, row } = looks[line.kind];
  const gutter = width - numbers.length - 2 < textWidthMin ? "" : numbers;
  let text: Line = (colours.get(line) ?? []).map((part) => span(part.text, { ...textStyle, ...part.style }));
  // Marked words keep no colour of the syntax: inverse, it would become a background of many colours.
  for (const range of line.changed) text = restyle(text, range, { ...textStyle, isInverse: true });
  const rows = wrapAnywhere(text, Math.max(1, width - gutter.length - 2)).map((part, index) => [
    span(index === 0 ? gutter : " ".repeat(gutter.length), { ...row, ...quiet }),
    span(`${sign} `, { ...row, ...textStyle }),
    ...part.map(({ text: shown, style }) => span(shown, { ...row, ...style })),
  ]);
  const padded = rows.map((part) => (line.kind === "context" ? part : padLine(part, width, row)));
  const end = line.isUnended ? [noteRow(`${symbols.arrow} ${diffTexts.noNewline}`, gutter.length)] : [];
  return [...padded, ...end];
}

function spacingNote(isSpacingOnly: boolean, context: RowContext): readonly Line[] {
  if (!isSpacingOnly) return [];
  return wrapWords(noteRow(diffTexts.whitespaceOnly, context.digits + 1), context.width);
}

function foldRows(
  { count, heading }: Extract<ShownPart, { kind: "fold" }>,
  { width, symbols, digits }: RowContext,
): readonly Line[] {
  const { ellipsis } = symbols;
  const lines = count === 0 ? ellipsis : `${ellipsis} ${diffTexts.foldedLines(count)} ${ellipsis}`;
  return wrapWords(noteRow(heading === "" ? lines : `${lines} ${heading}`, digits + 1), width).slice(0, 1);
}

function noteRow(text: string, indent: number): Line {
  return [span(`${" ".repeat(indent)}${text}`, quiet)];
}
