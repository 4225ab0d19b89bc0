/** Values over time as columns, with the highest one named at the side and what they stand for below. */
import { cutText, padText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { Theme } from "../theme/theme.ts";
import { cellsOf, isPlain, shareOf } from "./chart-cells.ts";

export type ColumnChartLook = {
  /** Lines of the columns; the labels have one more. */
  readonly height: number;
  readonly width: number;
  /** Under the first column and under the last one. */
  readonly labels: readonly [string, string];
};

const columnWidthMax = 3;

/** Where there is no room for all, the last values are shown. Lines have at most `width` columns. */
export function columnChart(
  values: readonly number[],
  { height, width, labels }: ColumnChartLook,
  theme: Theme,
): readonly string[] {
  const max = Math.max(0, ...values.filter(Number.isFinite));
  const scale = String(max);
  const left = scale.length + 1;
  const room = width - left;
  if (room < 1 || height < 1 || values.length === 0) return [];
  const step = Math.max(1, Math.min(columnWidthMax, Math.floor(room / values.length)));
  const shown = values.slice(-Math.floor(room / step));
  const rows = Array.from({ length: height }, (_, index) => {
    const sign = index === 0 ? scale : index === height - 1 ? "0" : "";
    const cells = shown.map((value) => cellAt(shareOf(value, max) * height, height - 1 - index, theme));
    const line = cells.map((cell) => columnText(cell, step)).join("");
    return `${theme.fg("dim", sign.padStart(scale.length))} ${theme.fg("accent", line)}`;
  });
  return [...rows, " ".repeat(left) + theme.fg("dim", labelLine(labels, shown.length * step, room, theme))];
}

/** The part of a column that lies in the line `from` to `from + 1`; the lowest line shows whatever is not nothing. */
function cellAt(level: number, from: number, theme: Theme): string {
  const { symbols } = theme;
  const part = Math.max(0, Math.min(1, level - from));
  if (isPlain(symbols)) return part >= 0.5 || (from === 0 && level > 0) ? symbols.barFull.slice(0, 1) : " ";
  const cells = cellsOf(symbols);
  const least = from === 0 && level > 0 ? 1 : 0;
  return cells[Math.max(least, Math.round(part * (cells.length - 1)))] ?? " ";
}

/** Columns of more than one cell have a gap behind them. */
function columnText(cell: string, step: number): string {
  return step === 1 ? cell : `${cell.repeat(step - 1)} `;
}

function labelLine([first, last]: readonly [string, string], columns: number, room: number, theme: Theme): string {
  const gap = columns - visibleWidth(first) - visibleWidth(last);
  if (gap >= 1) return padText(first, columns - visibleWidth(last)) + last;
  return cutText(`${first} ${theme.symbols.arrow} ${last}`, room, theme.symbols.ellipsis);
}
