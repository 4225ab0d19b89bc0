/** A window over more lines than there is room for, which says what is out of sight. */

import { cutText } from "../../screen/cut-text.ts";
import { type Input, keyName } from "../../screen/input.ts";
import { scrollTexts } from "../../texts/dialogs.ts";
import type { Theme } from "../../theme/theme.ts";

export interface ScrollArea {
  /** Moves with the next drawing only as far as needed to show these lines. */
  reveal(from: number, to: number): void;
  /** At most `height` lines; when there are more, the last one tells where one is. */
  render(
    lines: readonly string[],
    place: { readonly width: number; readonly height: number; readonly theme: Theme },
  ): readonly string[];
  /** Page keys, home, end and the wheel; false when there is nothing to scroll. */
  handle(input: Input): boolean;
  /** Of the last drawing, after what was scrolled since. */
  isAtTop(): boolean;
  isAtEnd(): boolean;
}

export function createScrollArea(): ScrollArea {
  let top = 0;
  let wanted: { readonly from: number; readonly to: number } | undefined;
  let seen = { count: 0, room: 1 };

  const bounded = (at: number) => Math.max(0, Math.min(at, seen.count - seen.room));

  function moveBy(lines: number): boolean {
    if (seen.count <= seen.room) return false;
    top = bounded(top + lines);
    return true;
  }

  return {
    isAtTop: () => top === 0,
    isAtEnd: () => top >= seen.count - seen.room,
    reveal(from, to) {
      wanted = { from, to };
    },
    render(lines, { width, height, theme }) {
      const isWhole = lines.length <= height;
      const room = isWhole ? height : Math.max(1, height - 1);
      seen = { count: lines.length, room };
      if (wanted !== undefined) {
        if (wanted.to > top + room) top = wanted.to - room;
        if (wanted.from < top) top = wanted.from;
        wanted = undefined;
      }
      top = bounded(top);
      if (isWhole) return lines;
      const place = scrollTexts.place({
        first: top + 1,
        last: Math.min(lines.length, top + room),
        total: lines.length,
      });
      const status = theme.fg("warning", cutText(place, width, theme.symbols.ellipsis));
      return [...lines.slice(top, top + room), status].slice(0, height);
    },
    handle(input) {
      if (input.kind === "mouse") return input.mouse.type === "wheel" && moveBy(input.mouse.wheelLines ?? 0);
      if (input.kind !== "key") return false;
      switch (keyName(input.key)) {
        case "pageUp":
          return moveBy(1 - seen.room);
        case "pageDown":
          return moveBy(Math.max(1, seen.room - 1));
        case "home":
          return moveBy(-seen.count);
        case "end":
          return moveBy(seen.count);
        default:
          return false;
      }
    },
  };
}
