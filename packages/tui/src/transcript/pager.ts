/** Shows a long text whole: scrolled by keys and wheel, searched with a slash. */

import { cleanLine, cleanText } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { type Input, type Key, keyName } from "../screen/input.ts";
import { sliceByColumn, visibleWidth } from "../screen/text-width.ts";
import type { Dialog } from "../screen/view.ts";
import { pagerTexts } from "../texts/conversation.ts";
import type { Theme } from "../theme/theme.ts";
import { createTextSearch } from "./text-search.ts";

export type PagerProps = {
  readonly title: string;
  /** A text from anywhere, or lines that are clean and may have styles. */
  readonly content: { readonly text: string } | { readonly lines: readonly string[] };
  readonly theme: () => Theme;
  readonly onClosed?: () => void;
};

const widthWished = 120;
const gutter = 2;
const footLines = 1;

type Wrapped = { readonly width: number; readonly rows: readonly Row[] };
type Row = { readonly text: string; readonly line: number };

export function createPager({ title, content, theme: themeNow, onClosed }: PagerProps): Dialog {
  const lines = "lines" in content ? content.lines : cleanText(content.text).replace(/\n$/, "").split("\n");
  let wrapped: Wrapped = { width: -1, rows: [] };
  let top = 0;
  let pageRows = 1;
  const search = createTextSearch(lines);
  let drawn: { readonly key: readonly unknown[]; readonly lines: readonly string[] } | undefined;

  function rowsFor(width: number): readonly Row[] {
    if (wrapped.width === width) return wrapped.rows;
    const line = wrapped.rows[top]?.line ?? 0;
    wrapped = {
      width,
      rows: lines.flatMap((text, index) => wrapHard(text, width).map((row) => ({ text: row, line: index }))),
    };
    top = Math.max(0, rowOfLine(line));
    return wrapped.rows;
  }

  const rowOfLine = (line: number) => wrapped.rows.findIndex((row) => row.line === line);

  function scrollTo(row: number): true {
    top = Math.max(0, Math.min(row, wrapped.rows.length - pageRows));
    return true;
  }

  /** A third of the page stands above what was found. */
  function find(direction: 1 | -1): true {
    const line = search.next(direction, wrapped.rows[top]?.line ?? 0);
    return line === undefined || scrollTo(rowOfLine(line) - Math.floor(pageRows / 3));
  }

  function type(key: Key): true {
    return search.type(key) !== "enter" || find(1);
  }

  function handleKey(key: Key): boolean {
    if (search.typed() !== undefined) return type(key);
    if (key.text === "G") return scrollTo(wrapped.rows.length);
    if (key.text === "N") return find(-1);
    if (key.text === "/") return search.begin();
    switch (keyName(key)) {
      case "up":
      case "k":
        return scrollTo(top - 1);
      case "down":
      case "j":
      case "enter":
        return scrollTo(top + 1);
      case "pageUp":
      case "b":
        return scrollTo(top - pageRows);
      case "pageDown":
      case "space":
        return scrollTo(top + pageRows);
      case "home":
      case "g":
        return scrollTo(0);
      case "end":
      case "shift+g":
        return scrollTo(wrapped.rows.length);
      case "n":
        return find(1);
      case "shift+n":
        return find(-1);
      default:
        return false;
    }
  }

  function draw(width: number, height: number, theme: Theme): readonly string[] {
    pageRows = Math.max(1, height - footLines);
    const rows = rowsFor(Math.max(1, width - gutter));
    scrollTo(top);
    const mark = `${theme.symbols.folded} `.slice(0, gutter);
    const shown = rows.slice(top, top + pageRows).map(({ text, line }) => {
      if (line === search.match()) return theme.fg("accent", mark) + text;
      return text === "" ? "" : " ".repeat(gutter) + text;
    });
    return [...shown, foot(width, rows.length, theme)].slice(-height);
  }

  function foot(width: number, total: number, theme: Theme): string {
    const { ellipsis, separator } = theme.symbols;
    const typed = search.typed();
    if (typed !== undefined) return theme.fg("accent", cutText(`/${typed}`, width, ellipsis));
    const last = Math.min(total, top + pageRows);
    const percent = total === 0 ? 100 : Math.round((100 * last) / total);
    const words = [
      ...search.problems(),
      pagerTexts.place({ first: top + 1, last, total }),
      `${percent} %`,
      pagerTexts.search,
      pagerTexts.close,
    ];
    return theme.fg("dim", cutText(words.join(` ${separator} `), width, ellipsis));
  }

  return {
    title: cleanLine(title),
    widthWished,
    render(width, height) {
      const theme = themeNow();
      const key = [width, height, theme];
      if (drawn?.key.every((value, index) => value === key[index]) !== true)
        drawn = { key, lines: draw(width, height, theme) };
      return drawn.lines;
    },
    handle(input: Input) {
      drawn = undefined;
      switch (input.kind) {
        case "key":
          return handleKey(input.key);
        case "mouse":
          return input.mouse.type === "wheel" ? scrollTo(top + (input.mouse.wheelLines ?? 0)) : true;
        case "paste":
          search.paste(input.text);
          return true;
        case "focus":
          return false;
      }
    },
    closed: () => onClosed?.(),
  };
}

/** Breaks where the screen ends, so that every character stays what it is. */
function wrapHard(line: string, width: number): readonly string[] {
  const total = visibleWidth(line);
  if (total <= width) return [line];
  const rows: string[] = [];
  let at = 0;
  while (at < total) {
    const row = sliceByColumn(line, at, width, true);
    const columns = visibleWidth(row);
    rows.push(row);
    // A character that is wider than the screen is passed over.
    at += columns === 0 ? width : columns;
  }
  return rows;
}
