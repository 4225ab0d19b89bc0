/** Rows of a database as text: a line for each, or one row over many lines. */
import type { SQLOutputValue } from "node:sqlite";

const cellCharactersMax = 200;
const valueCharactersMax = 10_000;
const textCharactersMax = 50 * 1_024;

type Row = readonly SQLOutputValue[];

/** Ends in a line break. Rows that would make it too long are left out, and it says so. */
export function tableText(columns: readonly string[], rows: readonly Row[]): string {
  let text = `${columns.map((name) => cellText(name, cellCharactersMax)).join(" | ")}\n`;
  for (const [index, row] of rows.entries()) {
    text += `${row.map((value) => cellText(value, cellCharactersMax)).join(" | ")}\n`;
    if (text.length > textCharactersMax && index < rows.length - 1)
      return `${text}… (${rows.length - index - 1} more rows are too much text; choose fewer columns or rows)\n`;
  }
  return text;
}

export function rowText(columns: readonly string[], row: Row): string {
  return columns.map((name, index) => `${name}: ${cellText(row[index] ?? null, valueCharactersMax)}`).join("\n");
}

/** Always one line. */
function cellText(value: SQLOutputValue, charactersMax: number): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  const text = String(value).replaceAll("\\", "\\\\").replaceAll("\r", "\\r").replaceAll("\n", "\\n");
  const isLong = text.length > charactersMax;
  return isLong ? `${text.slice(0, charactersMax).toWellFormed()}… (${text.length} characters)` : text;
}
