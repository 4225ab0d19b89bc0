/** Lines of the transcript: cleaned, cut and wrapped text before any style is put around it. */
import { cleanText } from "../screen/clean-text.ts";
import { wrapText } from "../screen/text-width.ts";

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
