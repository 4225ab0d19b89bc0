/** Breaks lines of spans so that they fit a width, at words or anywhere, with wide and combined characters. */
import { graphemeSegmenter } from "../screen/segmenters.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { type Line, plainText, sliceLine, splitLines } from "./styled-text.ts";

type Range = { readonly start: number; readonly end: number };

/** What is measured as one: a character of ASCII, or all that a reader sees as one character. */
type Units = {
  readonly count: number;
  start(unit: number): number;
  width(unit: number): number;
};

const asciiOnly = /^[ -~]*$/;
const wideWidth = 2;
/** These never begin a line in scripts that break between any two characters. */
const closingMarks = new Set("、。，．：；！？）］｝」』】〉》…々ー");

/** For prose: at spaces and between wide characters; a word longer than the line is broken where it must be. */
export function wrapWords(spans: Line, width: number): readonly Line[] {
  return splitLines(spans).flatMap((line) => breakLine(line, width, wordRanges));
}

/** For code, where every space counts: at the edge. */
export function wrapAnywhere(line: Line, width: number): readonly Line[] {
  return breakLine(line, width, edgeRanges);
}

function breakLine(
  line: Line,
  width: number,
  ranges: (text: string, width: number) => readonly Range[],
): readonly Line[] {
  const text = plainText(line);
  const isAscii = asciiOnly.test(text);
  if (isAscii && text.length <= width) return [line];
  return ranges(text, Math.max(1, width)).map(({ start, end }) => sliceLine(line, start, end));
}

function measure(text: string): Units {
  if (asciiOnly.test(text)) return { count: text.length, start: (unit) => unit, width: () => 1 };
  const starts: number[] = [];
  const widths: number[] = [];
  for (const { segment, index } of graphemeSegmenter().segment(text)) {
    starts.push(index);
    widths.push(visibleWidth(segment));
  }
  return {
    count: starts.length,
    start: (unit) => starts[unit] ?? text.length,
    width: (unit) => widths[unit] ?? 0,
  };
}

/** A character that is wider than the whole line is left out. */
function edgeRanges(text: string, width: number): readonly Range[] {
  const units = measure(text);
  const ranges: Range[] = [];
  let first = 0;
  let column = 0;
  for (let unit = 0; unit < units.count; unit++) {
    const unitWidth = units.width(unit);
    if (column + unitWidth > width) {
      if (unit > first) ranges.push({ start: units.start(first), end: units.start(unit) });
      first = unitWidth > width ? unit + 1 : unit;
      column = 0;
    }
    if (unitWidth <= width) column += unitWidth;
  }
  if (first < units.count || ranges.length === 0) ranges.push({ start: units.start(first), end: text.length });
  return ranges;
}

function wordRanges(text: string, width: number): readonly Range[] {
  const units = measure(text);
  const ranges: Range[] = [];
  const isSpace = (unit: number) => text[units.start(unit)] === " ";
  const push = (from: number, to: number) => {
    let end = to;
    while (end > from && isSpace(end - 1)) end--;
    ranges.push({ start: units.start(from), end: units.start(end) });
  };
  let first = 0;
  let column = 0;
  /** Where the line may be broken last: the unit that would begin the next one. */
  let breakAt = 0;
  for (let unit = 0; unit < units.count; unit++) {
    const unitWidth = units.width(unit);
    if (mayBreakBefore(text, units, unit)) breakAt = unit;
    if (unitWidth > width) {
      if (unit > first) push(first, unit);
      first = unit + 1;
      breakAt = first;
      column = 0;
      continue;
    }
    // Spaces may hang over the edge, where they are cut away.
    if (column + unitWidth > width && !isSpace(unit)) {
      const next = breakAt > first ? breakAt : unit;
      push(first, next);
      first = next;
      column = 0;
      for (let moved = first; moved < unit; moved++) column += units.width(moved);
      if (column + unitWidth > width) {
        push(first, unit);
        first = unit;
        column = 0;
      }
    }
    column += unitWidth;
  }
  if (first < units.count || ranges.length === 0) push(first, units.count);
  return ranges;
}

function mayBreakBefore(text: string, units: Units, unit: number): boolean {
  if (unit === 0) return false;
  const character = text[units.start(unit)] ?? "";
  if (character === " ") return false;
  if (text[units.start(unit - 1)] === " ") return true;
  const isWide = units.width(unit) === wideWidth || units.width(unit - 1) === wideWidth;
  return isWide && !closingMarks.has(character);
}
