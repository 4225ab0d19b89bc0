/** Tables as lines that fit a width: columns as wide as they need to be, shrunk fairly, with wrapped cells. */
import { knownTokens, type MarkdownTable } from "../screen/markdown-lexer.ts";
import { lineWidth } from "../syntax/line-width.ts";
import { type Line, type Span, span, splitLines, type TextStyle } from "../syntax/styled-text.ts";
import { wrapWords } from "../syntax/wrap-line.ts";
import type { Symbols } from "../theme/theme.ts";
import { inlineSpans } from "./inline-spans.ts";

export type TableContext = { readonly width: number; readonly symbols: Symbols; readonly style: TextStyle };

/** A table may come in pieces: the later ones keep the columns of the first and repeat no head. */
export type TablePiece = {
  readonly columns?: readonly number[] | undefined;
  readonly isContinued?: boolean;
};

export type TableLines = { readonly lines: readonly Line[]; readonly columns: readonly number[] };

const narrowestColumn = 3;
const border = { color: "borderMuted" } as const;

export function tableLines(table: MarkdownTable, context: TableContext, piece: TablePiece = {}): TableLines {
  const cell = (tokens: MarkdownTable["header"][number], style: TextStyle) =>
    inlineSpans(knownTokens(tokens.tokens), style);
  const head = table.header.map((tokens) => cell(tokens, { ...context.style, isBold: true }));
  const rows = table.rows.map((row) => row.map((tokens) => cell(tokens, context.style)));
  const columns = piece.columns ?? columnWidths([head, ...rows], context.width);
  if (columns === undefined)
    return { lines: wrapWords([span(table.raw.trimEnd(), context.style)], context.width), columns: [] };
  const rule = (edge: "top" | "middle" | "bottom"): Line => [span(ruleText(columns, context.symbols, edge), border)];
  const shown = rows.map((row) => rowLines(row, columns, table.align, context.symbols));
  // Without rules it could not be seen where a row of wrapped cells ends.
  const isRuled = shown.some((lines) => lines.length > 1);
  const lines: Line[] = [];
  if (piece.columns === undefined)
    lines.push(rule("top"), ...rowLines(head, columns, table.align, context.symbols), rule("middle"));
  for (const [index, row] of shown.entries()) {
    if (isRuled && (index > 0 || piece.columns !== undefined)) lines.push(rule("middle"));
    lines.push(...row);
  }
  if (piece.isContinued !== true) lines.push(rule("bottom"));
  return { lines, columns };
}

/** Undefined when there are too many columns for the width. */
function columnWidths(rows: readonly (readonly Line[])[], width: number): readonly number[] | undefined {
  const count = rows[0]?.length ?? 0;
  const room = width - 3 * count - 1;
  if (count === 0 || room < count * narrowestColumn) return undefined;
  const wished = Array.from({ length: count }, (_, column) =>
    Math.max(narrowestColumn, ...rows.map((row) => Math.max(...splitLines(row[column] ?? []).map(lineWidth)))),
  );
  const widths = [...wished];
  // Narrow columns keep what they need; the wide ones share the rest.
  let open = wished.map((_, column) => column);
  let left = room;
  while (open.length > 0) {
    const share = Math.floor(left / open.length);
    const narrow = open.filter((column) => (wished[column] ?? 0) <= share);
    if (narrow.length === 0) {
      for (const [index, column] of open.entries()) widths[column] = share + (index < left % open.length ? 1 : 0);
      break;
    }
    for (const column of narrow) left -= wished[column] ?? 0;
    open = open.filter((column) => !narrow.includes(column));
  }
  return widths;
}

function rowLines(
  cells: readonly Line[],
  columns: readonly number[],
  align: MarkdownTable["align"],
  symbols: Symbols,
): readonly Line[] {
  const wrapped = columns.map((width, column) => wrapWords(cells[column] ?? [], width));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) => {
    const line: Span[] = [span(symbols.vertical, border)];
    for (const [column, width] of columns.entries()) {
      line.push(
        ...alignedCell(wrapped[column]?.[row] ?? [], width, align[column] ?? "left"),
        span(symbols.vertical, border),
      );
    }
    return line;
  });
}

function alignedCell(line: Line, width: number, align: "left" | "center" | "right"): Line {
  const missing = Math.max(0, width - lineWidth(line));
  const before = align === "right" ? missing : align === "center" ? Math.floor(missing / 2) : 0;
  return [span(" ".repeat(before + 1)), ...line, span(" ".repeat(missing - before + 1))];
}

/** The set of symbols has corners only; where rules meet follows from how its rules are drawn. */
const joints = { top: ["", "┬", ""], middle: ["├", "┼", "┤"], bottom: ["", "┴", ""] } as const;
const asciiJoint = "+";

function ruleText(columns: readonly number[], symbols: Symbols, edge: "top" | "middle" | "bottom"): string {
  const [left, middle, right] = joints[edge];
  const joint = symbols.horizontal === "─" ? middle : asciiJoint;
  const leftEnd = { top: symbols.topLeft, middle: joint === middle ? left : asciiJoint, bottom: symbols.bottomLeft }[
    edge
  ];
  const rightEnd = {
    top: symbols.topRight,
    middle: joint === middle ? right : asciiJoint,
    bottom: symbols.bottomRight,
  }[edge];
  return leftEnd + columns.map((width) => symbols.horizontal.repeat(width + 2)).join(joint) + rightEnd;
}
