/** Cuts and fills text without styles to a width. What is given back has no styles either, so that it may stand inside of any. */
import { sliceByColumn, visibleWidth } from "./text-width.ts";

export function cutText(text: string, columns: number, ellipsis = ""): string {
  if (visibleWidth(text) <= columns) return text;
  const room = columns - visibleWidth(ellipsis);
  return room < 1 ? sliceByColumn(text, 0, Math.max(0, columns), true) : sliceByColumn(text, 0, room, true) + ellipsis;
}

export function padText(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - visibleWidth(text)));
}
