/** Text with styles as data: spans are measured, wrapped and cut first, and painted with a theme last. */
import type { BackgroundToken, ForegroundToken, Theme } from "../theme/theme.ts";

export type TextStyle = {
  readonly color?: ForegroundToken | undefined;
  readonly background?: BackgroundToken | undefined;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  readonly isInverse?: boolean;
  readonly isFaint?: boolean;
};

/** Clean text without line feeds, but where a function says that it splits at them. */
export type Span = { readonly text: string; readonly style: TextStyle };
export type Line = readonly Span[];

export const plainStyle: TextStyle = {};

export function span(text: string, style: TextStyle = plainStyle): Span {
  return { text, style };
}

/** Each span is closed where it ends, so a painted line can be cut from its neighbours without bleeding into them. */
export function paintLine(line: Line, theme: Theme): string {
  let painted = "";
  for (const { text, style } of line) painted += paintText(text, style, theme);
  return painted;
}

function paintText(text: string, style: TextStyle, theme: Theme): string {
  if (text === "") return "";
  let painted = text;
  if (style.color !== undefined) painted = theme.fg(style.color, painted);
  if (style.isBold === true) painted = theme.bold(painted);
  if (style.isFaint === true) painted = theme.faint(painted);
  if (style.isItalic === true) painted = theme.italic(painted);
  if (style.isUnderlined === true) painted = theme.underline(painted);
  if (style.isStruck === true) painted = theme.strikethrough(painted);
  if (style.isInverse === true) painted = theme.inverse(painted);
  if (style.background !== undefined) painted = theme.bg(style.background, painted);
  return painted;
}

export function plainText(line: Line): string {
  const [first] = line;
  if (line.length === 1 && first !== undefined) return first.text;
  return line.map(({ text }) => text).join("");
}

/** The part between two offsets of the plain text. */
export function sliceLine(line: Line, start: number, end: number): Line {
  const parts: Span[] = [];
  let offset = 0;
  for (const { text, style } of line) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, text.length);
    if (from < to) parts.push({ text: from === 0 && to === text.length ? text : text.slice(from, to), style });
    offset += text.length;
    if (offset >= end) break;
  }
  return parts;
}

/** Spans may hold line feeds; the lines that come back do not. */
export function splitLines(spans: Line): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of spans) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, style });
    }
  }
  return lines;
}

/** Restyles the text between two offsets. */
export function restyle(line: Line, range: { readonly start: number; readonly end: number }, style: TextStyle): Line {
  return [
    ...sliceLine(line, 0, range.start),
    ...sliceLine(line, range.start, range.end).map((part) => span(part.text, { ...part.style, ...style })),
    ...sliceLine(line, range.end, Number.POSITIVE_INFINITY),
  ];
}
