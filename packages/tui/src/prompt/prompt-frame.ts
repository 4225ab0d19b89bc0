/** Draws the prompt: a frame with the text in it, its cursor, the line of a search, a note, and the list of completions above. */

import { cleanLine } from "../screen/clean-text.ts";
import { cutText } from "../screen/cut-text.ts";
import { cursorMark, sliceByColumn, truncateToWidth, visibleWidth, wrapText } from "../screen/text-width.ts";
import { promptTexts } from "../texts/terminal.ts";
import type { Theme } from "../theme/theme.ts";
import type { Popup } from "./completion.ts";
import { drawPopup } from "./completion-popup.ts";
import { graphemesOf } from "./graphemes.ts";
import type { HistorySearch } from "./history.ts";
import type { Row } from "./prompt-layout.ts";
import type { Border } from "./prompt-mode.ts";

export type PromptPicture = {
  readonly rows: readonly Row[];
  readonly isMoreAbove: boolean;
  readonly isMoreBelow: boolean;
  /** Undefined while it stands in the search. */
  readonly cursor: { readonly offset: number; readonly rowStart: number } | undefined;
  /** Shown instead of an empty text. */
  readonly hint: string | undefined;
  readonly border: Border;
  readonly bottomLabel: string | undefined;
  readonly search: HistorySearch | undefined;
  readonly popup: Popup | undefined;
  readonly note: string | undefined;
  readonly isToken: (offset: number) => boolean;
};

/** Narrower than this there is no room for a frame. */
const framedWidthMin = 12;
const noteLinesMax = 3;

export type PromptColumns = {
  readonly isFramed: boolean;
  /** Columns left of the text. */
  readonly indent: number;
  /** Columns a row of the text may fill; one more is kept for the cursor behind it. */
  readonly text: number;
};

export function promptColumns(width: number, theme: Theme): PromptColumns {
  if (width < framedWidthMin) return { isFramed: false, indent: 0, text: Math.max(2, width - 1) };
  const indent = 3 + visibleWidth(theme.symbols.prompt);
  return { isFramed: true, indent, text: width - indent - 2 };
}

export function drawPrompt(picture: PromptPicture, theme: Theme, width: number): readonly string[] {
  const columns = promptColumns(width, theme);
  const inside = [
    ...picture.rows.map((row) => drawRow(picture, row, theme)),
    ...(picture.search === undefined ? [] : [drawSearch(picture.search, theme, columns.text)]),
  ];
  if (picture.hint !== undefined) inside[0] = drawHint(picture.hint, theme, columns.text);
  const notes = drawNote(picture.note, theme, columns.text);
  if (!columns.isFramed) return [...inside, ...notes].map((line) => truncateToWidth(line, width, ""));
  return [
    ...drawPopup(picture.popup, theme, width),
    borderLine(picture, theme, { width, side: "top" }),
    ...[...inside, ...notes].map((line, index) => frameLine(line, picture, theme, { width, isFirst: index === 0 })),
    borderLine(picture, theme, { width, side: "bottom" }),
  ];
}

function withCursor(drawn: string, theme: Theme): string {
  return cursorMark + theme.inverse(drawn);
}

type CellStyle = "text" | "token" | "match" | "cursor";

function drawRow(picture: PromptPicture, row: Row, theme: Theme): string {
  const cursor = picture.cursor?.rowStart === row.start ? picture.cursor.offset : undefined;
  const match = picture.search?.match;
  const matchEnd = match === undefined ? 0 : match.at + (picture.search?.query.length ?? 0);
  const styleOf = (offset: number): CellStyle => {
    if (offset === cursor) return "cursor";
    if (match !== undefined && offset >= match.at && offset < matchEnd) return "match";
    return picture.isToken(offset) ? "token" : "text";
  };
  const runs: { readonly style: CellStyle; drawn: string }[] = [];
  for (const cell of row.cells) {
    const style = styleOf(cell.offset);
    const last = runs.at(-1);
    if (last?.style === style) last.drawn += cell.drawn;
    else runs.push({ style, drawn: cell.drawn });
  }
  if (cursor !== undefined && !runs.some(({ style }) => style === "cursor")) runs.push({ style: "cursor", drawn: " " });
  return runs.map(({ style, drawn }) => styled(drawn, style, theme)).join("");
}

function styled(drawn: string, style: CellStyle, theme: Theme): string {
  switch (style) {
    case "cursor":
      return withCursor(drawn === "" ? " " : drawn, theme);
    case "match":
      return theme.fg("accent", theme.underline(drawn));
    case "token":
      return theme.fg("accent", drawn);
    case "text":
      return theme.fg("text", drawn);
  }
}

function drawHint(hint: string, theme: Theme, columns: number): string {
  const shown = cutText(cleanLine(hint), columns, theme.symbols.ellipsis);
  const [first] = graphemesOf(shown);
  return withCursor(first?.segment ?? " ", theme) + theme.fg("dim", shown.slice(first?.segment.length ?? 0));
}

function drawSearch({ query, match }: HistorySearch, theme: Theme, columns: number): string {
  const title = cutText(
    match === undefined && query !== "" ? promptTexts.searchWithoutMatch : promptTexts.search,
    columns - 1,
  );
  const room = Math.max(1, columns - visibleWidth(title));
  const over = Math.max(0, visibleWidth(query) - room);
  return theme.fg("muted", title) + theme.fg("text", sliceByColumn(query, over, room, true)) + withCursor(" ", theme);
}

function drawNote(note: string | undefined, theme: Theme, columns: number): readonly string[] {
  if (note === undefined) return [];
  const lines = wrapText(`${theme.symbols.warning} ${cleanLine(note)}`, columns).slice(0, noteLinesMax);
  return lines.map((line) => theme.fg("warning", line));
}

function frameLine(
  line: string,
  { border }: PromptPicture,
  theme: Theme,
  { width, isFirst }: { readonly width: number; readonly isFirst: boolean },
): string {
  const { vertical, prompt } = theme.symbols;
  const sign = isFirst ? theme.fg(border.token, prompt) : " ".repeat(visibleWidth(prompt));
  const edge = theme.fg(border.token, vertical);
  const room = width - 4 - visibleWidth(prompt);
  return `${edge} ${sign} ${line}${" ".repeat(Math.max(0, room - visibleWidth(line)))}${edge}`;
}

function borderLine(
  picture: PromptPicture,
  theme: Theme,
  { width, side }: { readonly width: number; readonly side: "top" | "bottom" },
): string {
  const { horizontal, topLeft, topRight, bottomLeft, bottomRight, ellipsis } = theme.symbols;
  const isTop = side === "top";
  const isMore = isTop ? picture.isMoreAbove : picture.isMoreBelow;
  const label = isTop ? picture.border.label : picture.bottomLabel;
  const more = isMore ? ` ${ellipsis} ${horizontal}` : "";
  const room = width - 5 - visibleWidth(more);
  const start = label === undefined || room < 1 ? "" : ` ${cutText(cleanLine(label), room, ellipsis)} `;
  const fill = horizontal.repeat(Math.max(0, width - 3 - visibleWidth(start) - visibleWidth(more)));
  const line = (isTop ? topLeft : bottomLeft) + horizontal + start + fill + more + (isTop ? topRight : bottomRight);
  return theme.fg(picture.border.token, line);
}
