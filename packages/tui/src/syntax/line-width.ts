/** How wide a line of spans is in a terminal, and lines filled up to a width. */
import { visibleWidth } from "../screen/text-width.ts";
import { type Line, plainStyle, span, type TextStyle } from "./styled-text.ts";

export function lineWidth(line: Line): number {
  let width = 0;
  for (const { text } of line) width += visibleWidth(text);
  return width;
}

/** Fills up to the width, so that a background reaches the edge. */
export function padLine(line: Line, width: number, style: TextStyle = plainStyle): Line {
  const missing = width - lineWidth(line);
  return missing > 0 ? [...line, span(" ".repeat(missing), style)] : line;
}
