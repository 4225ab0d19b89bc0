/** Something to read: it scrolls, is filtered by typing where that helps, and says so while its data is on the way. */

import { type Input, keyName } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { listTexts, scrollTexts } from "../../texts/dialogs.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText, hintLine } from "../text/dialog-text.ts";
import { createScrollArea } from "../text/scroll-area.ts";
import { createTextField } from "../text/text-field.ts";

export type ReadingDialogProps<Content> = {
  readonly title: string;
  readonly theme: () => Theme;
  /** Undefined while it is not known yet; the same object as long as nothing changed. */
  readonly content: () => Content | undefined;
  /** Why it will not be known, or is no longer true; asked at every drawing. */
  readonly problem?: (() => string | undefined) | undefined;
  readonly loadingText: string;
  /** All lines; `query` is what was typed, and always empty without a filter. */
  readonly draw: (content: Content, page: ReadingPage) => readonly string[];
  readonly isFiltered?: boolean;
  readonly query?: string | undefined;
};

export type ReadingPage = { readonly width: number; readonly theme: Theme; readonly query: string };

const widthUsual = 80;
/** Below this many lines there is no room for blank ones. */
const airyHeightMin = 9;
const nothingText = listTexts.noMatches;

export function createReadingDialog<Content>(props: ReadingDialogProps<Content>): Dialog {
  const { theme, isFiltered = false, query = "" } = props;
  const filter = createTextField({ initial: query });
  const area = createScrollArea();
  const drawn = createRemembered<readonly string[]>();
  const whole = createRemembered<readonly string[]>();
  const cached = createRemembered<readonly string[]>();
  let scrolls = 0;

  function bodyLines(width: number, typed: string): readonly string[] {
    const colours = theme();
    const content = props.content();
    const problem = props.problem?.();
    const cache = typed === "" ? whole : drawn;
    return cache([width, colours, content, problem, typed], () => {
      const told = problem === undefined ? [] : flowText(problem, width).map((line) => colours.fg("error", line));
      if (content === undefined) {
        return problem === undefined
          ? flowText(props.loadingText, width).map((line) => colours.fg("muted", line))
          : told;
      }
      const lines = props.draw(content, { width, theme: colours, query: typed });
      const body = lines.length === 0 && typed !== "" ? flowText(nothingText, width) : lines;
      return [...told, ...(told.length > 0 ? [""] : []), ...body];
    });
  }

  function draw(lines: readonly string[], countWhole: number, page: { width: number; height: number }): string[] {
    const { width, height } = page;
    const colours = theme();
    const gap = height >= airyHeightMin ? [""] : [];
    const head = isFiltered ? [filterLine(width, colours), ...gap] : [];
    const room = Math.max(1, height - head.length - gap.length - 1);
    const shown = area.render(lines, { width, height: room, theme: colours });
    // As high as the whole text, so that the frame does not move while one types.
    const blank = Array.from({ length: Math.max(0, Math.min(room, countWhole) - shown.length) }, () => "");
    const hints = [...(isFiltered ? [scrollTexts.filter] : []), scrollTexts.scroll, listTexts.close];
    return [...head, ...shown, ...blank, ...gap, hintLine(hints, width, colours)].slice(0, height);
  }

  function filterLine(width: number, colours: Theme): string {
    const sign = `${colours.symbols.prompt} `;
    return colours.fg("accent", sign) + (filter.render({ width: Math.max(2, width - 2), theme: colours })[0] ?? "");
  }

  function scrolled(input: Input): boolean {
    if (input.kind !== "key") return area.handle(input);
    const name = keyName(input.key);
    const lines = name === "up" ? -1 : name === "down" || name === "enter" ? 1 : 0;
    if (lines === 0) return area.handle(input);
    area.handle({ kind: "mouse", mouse: { type: "wheel", x: 0, y: 0, wheelLines: lines } });
    return true;
  }

  return {
    title: props.title,
    widthWished: widthUsual,
    render(width, height) {
      const typed = isFiltered ? filter.text() : "";
      const all = bodyLines(width, "");
      const lines = typed.trim() === "" ? all : bodyLines(width, typed);
      return cached([lines, all, width, height, scrolls], () => draw(lines, all.length, { width, height }));
    },
    handle(input) {
      scrolls += 1;
      if (scrolled(input) || input.kind === "mouse") return true;
      if (!isFiltered || !filter.handle(input)) return false;
      area.reveal(0, 1);
      return true;
    },
  };
}
