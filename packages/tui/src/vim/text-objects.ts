/** Text objects: the word, the quoted text or the bracketed text around the cursor. */
import type { WordSize } from "./cell-class.ts";
import {
  type CellRange,
  type CellText,
  isEmptyLine,
  isLineBlank,
  lineEnd,
  lineStart,
  skipBlanks,
} from "./cell-text.ts";
import { classAt, runEnd, runStart } from "./words.ts";

export type TextObject = { readonly part: "inner" | "around" } & (
  | { readonly kind: "word"; readonly size: WordSize }
  | { readonly kind: "quote"; readonly quote: string }
  | { readonly kind: "bracket"; readonly open: string; readonly close: string }
);

export function parseTextObject(part: TextObject["part"], key: string): TextObject | undefined {
  switch (key) {
    case "w":
      return { part, kind: "word", size: "word" };
    case "W":
      return { part, kind: "word", size: "WORD" };
    case '"':
    case "'":
      return { part, kind: "quote", quote: key };
    case "(":
    case ")":
      return { part, kind: "bracket", open: "(", close: ")" };
    case "[":
    case "]":
      return { part, kind: "bracket", open: "[", close: "]" };
    case "{":
    case "}":
      return { part, kind: "bracket", open: "{", close: "}" };
    default:
      return undefined;
  }
}

export function rangeOfObject(text: CellText, index: number, object: TextObject): CellRange | undefined {
  switch (object.kind) {
    case "word":
      return object.part === "inner" ? innerWord(text, index, object.size) : aroundWord(text, index, object.size);
    case "quote":
      return quotedText(text, index, object);
    case "bracket":
      return bracketedText(text, index, object);
  }
}

function innerWord(text: CellText, index: number, size: WordSize): CellRange {
  return { start: runStart(text, index, size), end: runEnd(text, index, size), isLinewise: false };
}

function aroundWord(text: CellText, index: number, size: WordSize): CellRange | undefined {
  const { start, end } = innerWord(text, index, size);
  const hasNext = end < lineEnd(text, index);
  const hasPrevious = start > lineStart(text, index);
  if (start < end && classAt(text, index, size) !== "blank") return withBlanks(text, start, end);
  if (hasNext) return { start, end: runEnd(text, end, size), isLinewise: false };
  // The word behind blanks at the end of a line stands in a later one.
  if (end < text.cells.length) return acrossLines(text, start, end, size);
  return hasPrevious ? { start: runStart(text, start - 1, size), end, isLinewise: false } : undefined;
}

function acrossLines(text: CellText, start: number, end: number, size: WordSize): CellRange | undefined {
  let place = end + 1;
  while (classAt(text, place, size) === "blank" && !isEmptyLine(text, place)) place++;
  if (place > text.cells.length || (place === text.cells.length && !isEmptyLine(text, place))) return undefined;
  return { start, end: runEnd(text, place, size), isLinewise: false };
}

/** Takes the blanks behind along, or where there are none, those in front; the indentation of a line stays. */
function withBlanks(text: CellText, start: number, end: number): CellRange {
  const endWithBlanks = skipBlanks(text, end, lineEnd(text, end));
  let startWithBlanks = start;
  if (endWithBlanks === end) while (isLineBlank(text.cells[startWithBlanks - 1])) startWithBlanks--;
  if (startWithBlanks === lineStart(text, start)) startWithBlanks = start;
  return { start: startWithBlanks, end: endWithBlanks, isLinewise: false };
}

/** The first pair of the line, counted from its start, that does not end before the cursor. */
function quotedText(
  text: CellText,
  index: number,
  object: TextObject & { readonly kind: "quote" },
): CellRange | undefined {
  const end = lineEnd(text, index);
  let open: number | undefined;
  for (let place = lineStart(text, index); place < end; place++) {
    const cell = text.cells[place];
    if (cell === "\\") place++;
    if (cell !== object.quote) continue;
    if (open === undefined) {
      open = place;
    } else if (place < index) {
      open = undefined;
    } else {
      return object.part === "around"
        ? withBlanks(text, open, place + 1)
        : { start: open + 1, end: place, isLinewise: false };
    }
  }
  return undefined;
}

function bracketedText(
  text: CellText,
  index: number,
  object: TextObject & { readonly kind: "bracket" },
): CellRange | undefined {
  const { cells } = text;
  const open = openBefore(cells, index, object);
  const close = open === undefined ? undefined : closeAfter(cells, open, object);
  if (open === undefined || close === undefined) return undefined;
  if (object.part === "around") return { start: open, end: close + 1, isLinewise: false };
  return betweenBrackets(text, open, close);
}

/** A bracket alone at the end or the start of its line stays there with its newline, so that a block keeps its shape. */
function betweenBrackets(text: CellText, open: number, close: number): CellRange {
  const closeLine = lineStart(text, close);
  const opensLine = text.cells[open + 1] === "\n";
  const closesLine = skipBlanks(text, closeLine, close) === close;
  const end = closesLine ? closeLine - 1 : close;
  const hasLines = opensLine && open + 2 <= end;
  return { start: hasLines ? open + 2 : open + 1, end, isLinewise: hasLines && closesLine };
}

type Brackets = { readonly open: string; readonly close: string };

function openBefore(cells: readonly string[], index: number, { open, close }: Brackets): number | undefined {
  let depth = 0;
  for (let place = index; place >= 0; place--) {
    if (cells[place] === close && place < index) depth++;
    if (cells[place] !== open) continue;
    if (depth === 0) return place;
    depth--;
  }
  return undefined;
}

function closeAfter(cells: readonly string[], start: number, { open, close }: Brackets): number | undefined {
  let depth = 0;
  for (let place = start; place < cells.length; place++) {
    if (cells[place] === open) depth++;
    if (cells[place] !== close) continue;
    depth--;
    if (depth === 0) return place;
  }
  return undefined;
}
