/** The frame around a dialog: its title, its border, and a bound on what the inside may draw. */
import { cleanLine } from "../../screen/clean-text.ts";
import { cutText, padText } from "../../screen/cut-text.ts";
import type { Input } from "../../screen/input.ts";
import { truncateToWidth, visibleWidth } from "../../screen/text-width.ts";
import type { Dialog } from "../../screen/view.ts";
import type { Theme } from "../../theme/theme.ts";

export type DialogPlace = { readonly width: number; readonly height: number; readonly theme: Theme };

/** Border and one blank on either side, border above and below. */
const inset = { x: 2, y: 1 };

/** Lines of exactly `width` columns, at most `height` of them. */
export function frameDialog(dialog: Dialog, place: DialogPlace): readonly string[] {
  return frameLines(dialog.title, renderInside(dialog, place), place);
}

export function renderInside(dialog: Dialog, { width, height }: DialogPlace): readonly string[] {
  return dialog.render(Math.max(1, width - 2 * inset.x), Math.max(1, height - 2 * inset.y));
}

export function frameLines(title: string, lines: readonly string[], place: DialogPlace): readonly string[] {
  const { width, height, theme } = place;
  const inside = lines.slice(0, Math.max(1, height - 2 * inset.y));
  const innerWidth = Math.max(1, width - 2 * inset.x);
  const { symbols } = theme;
  const border = (text: string) => theme.fg("borderAccent", text);
  const name = cutText(cleanLine(title), Math.max(0, innerWidth - 2), symbols.ellipsis);
  const head = name === "" ? "" : ` ${name} `;
  const rest = symbols.horizontal.repeat(Math.max(0, innerWidth + 1 - visibleWidth(head)));
  return [
    border(symbols.topLeft + symbols.horizontal) + theme.bold(head) + border(rest + symbols.topRight),
    ...inside.map((line) => {
      const fitting = visibleWidth(line) > innerWidth ? truncateToWidth(line, innerWidth, symbols.ellipsis) : line;
      return `${border(symbols.vertical)} ${padText(fitting, innerWidth)} ${border(symbols.vertical)}`;
    }),
    border(symbols.bottomLeft + symbols.horizontal.repeat(innerWidth + 2) + symbols.bottomRight),
  ];
}

/** What was done on the frame, as the inside counts its columns and lines. */
export function toInside(input: Input): Input {
  if (input.kind !== "mouse") return input;
  const { mouse } = input;
  return { kind: "mouse", mouse: { ...mouse, x: mouse.x - inset.x, y: mouse.y - inset.y } };
}
