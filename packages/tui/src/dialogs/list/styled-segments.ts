/** A line of pieces in different styles, cut before any style is put around them. */
import { visibleWidth } from "../../screen/text-width.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { cutText, rowText } from "../text/dialog-text.ts";

export type Segment = readonly [token: ForegroundToken, text: string];

export function segmentLine(segments: readonly Segment[], width: number, theme: Theme): string {
  let room = width;
  const pieces: string[] = [];
  for (const [token, text] of segments) {
    if (room <= 0) break;
    const whole = rowText(text);
    const piece = cutText(whole, room, theme.symbols.ellipsis);
    pieces.push(theme.fg(token, piece));
    // What was cut ends the line, also where its ellipsis left a column free.
    room = piece === whole ? room - visibleWidth(piece) : 0;
  }
  return pieces.join("");
}
