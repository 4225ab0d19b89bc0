/** How a list looks: its rows, the line that is typed into, and what is said where there is nothing. */
import { cutText, padText } from "../../screen/cut-text.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText, rowText } from "../text/dialog-text.ts";
import type { TextField } from "../text/text-field.ts";
import type { ListItem, ListRow } from "./list-rows.ts";

export type ListLook = { readonly width: number; readonly theme: Theme };

const detailGap = 2;

/** An item with what stands behind it and at the right edge, or the name of a group. */
export function rowLine<Value>(
  row: ListRow<Value>,
  selected: ListItem<Value> | undefined,
  { width, theme }: ListLook,
): string {
  const { ellipsis, prompt } = theme.symbols;
  if (row.kind === "group") return theme.fg("muted", theme.bold(cutText(rowText(row.name), width, ellipsis)));
  const { item } = row;
  const isSelected = item === selected;
  const right = cutText(rowText(item.right ?? ""), Math.floor(width / 2), ellipsis);
  const left = width - 2 - (right === "" ? 0 : visibleWidth(right) + 1);
  const label = cutText(rowText(item.label), left, ellipsis);
  const room = left - visibleWidth(label) - detailGap;
  const detail = room < 4 ? "" : cutText(rowText(item.detail ?? ""), room, ellipsis);
  const gap = " ".repeat(
    Math.max(0, left - visibleWidth(label) - (detail === "" ? 0 : detailGap + visibleWidth(detail))),
  );
  const mark = isSelected ? theme.fg("accent", padText(prompt, 2)) : "  ";
  const parts = [
    mark,
    theme.fg(isSelected ? "accent" : (item.token ?? "text"), label),
    detail === "" ? "" : " ".repeat(detailGap) + theme.fg("muted", detail),
    gap,
    right === "" ? "" : ` ${theme.fg("dim", right)}`,
  ];
  const line = parts.join("");
  return isSelected ? theme.bg("selectedBg", line) : line.trimEnd();
}

export function emptyLines(sentence: string, { width, theme }: ListLook): readonly string[] {
  return flowText(sentence, width).map((line) => theme.fg("muted", line));
}

/** What was typed, with how many of how many items are found at the right edge. */
export function filterLine(filter: TextField, found: string, { width, theme }: ListLook): string {
  const sign = `${theme.symbols.prompt} `;
  const room = width - visibleWidth(sign) - found.length - 1;
  if (room < 4) return theme.fg("accent", sign.trimEnd());
  const typed = filter.render({ width: room, theme })[0] ?? "";
  return theme.fg("accent", sign) + padText(typed, room + 1) + theme.fg("dim", found);
}
