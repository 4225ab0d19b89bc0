/** A line with something at its left and something at its right edge; the left gives way. */
import { cutText, padText } from "../../screen/cut-text.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Theme } from "../../theme/theme.ts";
import { rowText } from "./dialog-text.ts";

export function edgedLine(left: string, right: string, width: number, theme: Theme): string {
  const end = cutText(rowText(right), width, theme.symbols.ellipsis);
  const room = Math.max(0, width - visibleWidth(end) - 1);
  const begin = padText(cutText(rowText(left), room, theme.symbols.ellipsis), room);
  return `${theme.fg("text", begin)}${room > 0 ? " " : ""}${theme.fg("muted", end)}`;
}
