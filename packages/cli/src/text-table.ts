/** Tables for a terminal: aligned columns of plain text in which nothing can steer the terminal. */
import { type Cost, costText, stripTerminalControls } from "@kedge/protocol";

export type Column<Row> = {
  readonly title: string;
  readonly align: "left" | "right";
  readonly text: (row: Row) => string;
};

const gap = "  ";

/** One line per row under one of titles. Cells are cleaned here, so callers may hand over anything that was stored. */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => stripTerminalControls(text(row)).replaceAll(/\s+/g, " "))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)));
  const pad = (cell: string, index: number) =>
    columns[index]?.align === "right" ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
  return lines.map((cells) => `${cells.map(pad).join(gap).trimEnd()}\n`).join("");
}

export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

const usdDigits = 4;

export function usdText(cost: Cost): string {
  return costText(cost, (usd) => `$${usd.toFixed(usdDigits)}`);
}

export function shareText(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** As in `2026-01-31 23:59`, in UTC. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, "2000-01-01T00:00".length).replace("T", " ");
}

/** As in `2026-01-31 23:59`, by the clock of the user. */
export function localTimeText(timeMs: number): string {
  const at = new Date(timeMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
