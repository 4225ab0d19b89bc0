/** Labels and values in two columns under the names of their groups, for dialogs that are read. */
import { cutText, padText } from "../../screen/cut-text.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { flowText, rowText } from "../text/dialog-text.ts";

export type GroupedRow = {
  readonly group: string;
  readonly label: string;
  readonly value: string;
  readonly tone?: ForegroundToken;
};

const gapColumns = 2;
const indentColumns = 2;
/** Labels have at most this share of the width; longer ones stand on a line of their own. */
const labelShareMax = 0.45;

/** Every word must stand somewhere in a row. */
export function matchingRows(rows: readonly GroupedRow[], query: string): readonly GroupedRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ group, label, value }) => {
    const text = `${group} ${label} ${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Rows of a group stand together, in the order in which their groups come first. */
export function groupedLines(rows: readonly GroupedRow[], width: number, theme: Theme): readonly string[] {
  const groups = new Map<string, GroupedRow[]>();
  for (const row of rows) {
    const own = groups.get(row.group);
    if (own === undefined) groups.set(row.group, [row]);
    else own.push(row);
  }
  const limit = Math.floor(width * labelShareMax) - indentColumns;
  const labels = rows.map(({ label }) => visibleWidth(rowText(label))).filter((columns) => columns <= limit);
  const columns = Math.max(0, ...labels);
  return [...groups].flatMap(([name, own], index) => [
    ...(index === 0 ? [] : [""]),
    ...(name === "" ? [] : [theme.fg("muted", theme.bold(cutText(rowText(name), width, theme.symbols.ellipsis)))]),
    ...own.flatMap((row) => rowLines(row, columns, { width, theme })),
  ]);
}

function rowLines(
  { label, value, tone }: GroupedRow,
  columns: number,
  { width, theme }: { readonly width: number; readonly theme: Theme },
): readonly string[] {
  const { ellipsis, warning } = theme.symbols;
  const mark = tone === "warning" || tone === "error" ? padText(warning, indentColumns) : " ".repeat(indentColumns);
  const name = cutText(rowText(label), Math.max(1, width - indentColumns), ellipsis);
  const left = indentColumns + columns + gapColumns;
  const lines = flowText(rowText(value), width - left).map((line) => theme.fg(tone ?? "text", line));
  const blank = " ".repeat(left);
  const head = theme.fg(tone ?? "dim", mark) + theme.fg("muted", name);
  if (visibleWidth(name) > columns) return [head, ...lines.map((line) => blank + line)];
  const [first = "", ...others] = lines;
  return [`${padText(head, left)}${first}`.trimEnd(), ...others.map((line) => blank + line)];
}
