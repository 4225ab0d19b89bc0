/** Draws the list of completions. */
import { cleanLine } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { Theme } from "../theme/theme.ts";
import { type Popup, popupRowsMax } from "./completion.ts";

export function popupHeight(popup: Popup | undefined): number {
  return Math.min(popup?.items.length ?? 0, popupRowsMax);
}

/** The first item that is shown, so that the selected one is among them. */
export function popupFirst({ items, selected }: Popup): number {
  return Math.max(0, Math.min(selected - Math.floor(popupRowsMax / 2), items.length - popupRowsMax));
}

export function drawPopup(popup: Popup | undefined, theme: Theme, width: number): readonly string[] {
  if (popup === undefined) return [];
  const first = popupFirst(popup);
  const shown = popup.items.slice(first, first + popupRowsMax);
  const labels = shown.map(({ label }) => cleanLine(label));
  const labelColumns = Math.min(Math.max(...labels.map(visibleWidth)), Math.floor(width / 2));
  return shown.map(({ detail }, index) => {
    const isSelected = first + index === popup.selected;
    const cut = cutText(labels[index] ?? "", labelColumns, theme.symbols.ellipsis);
    const label = cut + " ".repeat(labelColumns - visibleWidth(cut));
    const room = width - 6 - labelColumns;
    const about = detail === undefined || room < 1 ? "" : cutText(cleanLine(detail), room, theme.symbols.ellipsis);
    const sign = isSelected ? theme.symbols.prompt : " ".repeat(visibleWidth(theme.symbols.prompt));
    const named = `  ${theme.fg(isSelected ? "accent" : "text", `${sign} ${label}`)}`;
    const line = about === "" ? named : `${named}  ${theme.fg("muted", about)}`;
    return isSelected ? theme.bg("selectedBg", line + " ".repeat(Math.max(0, width - visibleWidth(line)))) : line;
  });
}
