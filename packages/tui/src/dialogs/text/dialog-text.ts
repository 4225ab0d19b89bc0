/** Cuts, pads and wraps of plain text before any style is put around it, so that no style can be torn apart. */
import { cleanText, judgedLine, judgedText } from "../../screen/clean-text.ts";
import { cutText } from "../../screen/cut-text.ts";
import { graphemeSegmenter } from "../../screen/segmenters.ts";
import { visibleWidth, wrapText } from "../../screen/text-width.ts";
import type { Theme } from "../../theme/theme.ts";

/** What a reader takes for one character each. */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(graphemeSegmenter().segment(text), ({ segment }) => segment);
}

/** One line whatever was in it; unlike in a title, blanks at its edges stay, since they may indent. */
export function rowText(text: string): string {
  return cleanText(text).replaceAll("\n", " ");
}

/** Breaks only where a line is full, so that not even a blank is lost: for what a person has to judge. */
export function wrapExactly(text: string, width: number): readonly string[] {
  const columns = Math.max(2, width);
  return judgedText(text)
    .split("\n")
    .flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  if (/^[\u0020-\u007e]*$/.test(line)) {
    for (let at = 0; at === 0 || at < line.length; at += width) rows.push(line.slice(at, at + width));
    return rows;
  }
  let row = "";
  let used = 0;
  for (const piece of graphemesOf(line)) {
    const columns = visibleWidth(piece);
    if (used + columns > width) {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += piece;
    used += columns;
  }
  rows.push(row);
  return rows;
}

/** Text that flows, wrapped between words. */
export function flowText(text: string, width: number): readonly string[] {
  return wrapText(cleanText(text), Math.max(2, width));
}

/** One paragraph that a person has to judge: no line of it but the first can pass for one of ours. */
export function flowJudged(text: string, width: number): readonly string[] {
  const [first = "", ...others] = wrapText(judgedLine(text), Math.max(2, width - continuation.length));
  return [first, ...others.map((line) => continuation + line)];
}

const continuation = "  ";

/** The keys that may be pressed, in the last line of a dialog. */
export function hintLine(hints: readonly string[], width: number, theme: Theme): string {
  const { separator, ellipsis } = theme.symbols;
  return theme.fg("dim", cutText(hints.join(` ${separator} `), width, ellipsis));
}

/** The first line behind a mark, the others below its text. */
export function hang(mark: string, lines: readonly string[]): readonly string[] {
  const blank = " ".repeat(visibleWidth(mark));
  return lines.map((line, index) => (index === 0 ? mark : blank) + line);
}
