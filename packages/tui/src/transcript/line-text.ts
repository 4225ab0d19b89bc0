/** Lines of the transcript: cleaned, cut and wrapped text before any style is put around it. */
import { cleanText } from "../screen/clean-text.ts";
import { sliceByColumn, visibleWidth, wrapText } from "../screen/text-width.ts";

/** Clean text of one line goes in. */
export function cutLine(text: string, width: number, ellipsis: string): string {
  if (text.length <= width && isAscii(text)) return text;
  if (visibleWidth(text) <= width) return text;
  const room = width - visibleWidth(ellipsis);
  return room < 1 ? sliceByColumn(text, 0, Math.max(0, width), true) : sliceByColumn(text, 0, room, true) + ellipsis;
}

export function padLine(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleWidth(text)));
}

/** Clean lines, without the empty ones at the end. */
export function cleanLines(text: string): readonly string[] {
  return cleanText(text).trimEnd().split("\n");
}

/** One line of output as it looked at its end: what was overwritten is gone. */
export function outputLine(text: string): string {
  const pieces = cleanText(text).split("\n");
  return pieces.findLast((piece) => piece.trim() !== "") ?? "";
}

/** For text that people wrote or read as prose. */
export function wrapClean(text: string, width: number): readonly string[] {
  return wrapText(cleanText(text).trimEnd(), Math.max(1, width));
}

export function indented(lines: readonly string[], columns: number): readonly string[] {
  const space = " ".repeat(columns);
  return lines.map((line) => (line === "" ? "" : space + line));
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7e) return false;
  return true;
}
