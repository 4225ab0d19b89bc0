/**
 * Settles exact places that begin inside of the indentation of a line. There the first line moves with the place, and
 * all lines below it would keep an indentation that was measured from another margin.
 */
import { type Candidate, equalBlock, type Search } from "./strategy.ts";
import { indentOf, isBlank, lineNumberAt, trimEnd } from "./text-lines.ts";

/** The same place where it is right as it is, else the whole lines with the change carried over to them, or a refusal. */
export function settleWithinIndentation(search: Search, place: Candidate): Candidate {
  const { text, newString, wanted } = search;
  const lead = text.slice(text.lastIndexOf("\n", place.start - 1) + 1, place.start);
  const [firstLine = ""] = wanted.oldLines;
  if (lead === "" || !isBlank(lead) || isBlank(firstLine)) return place;
  const margin = indentOf(firstLine);
  if (!wanted.deletesLines) {
    // Whoever leaves the indentation out knows that it stays, and counts the other lines from the true margin.
    if (margin === "") return place;
    if (newString !== "" && wanted.newLines.slice(1).every(isBlank)) return place;
  }
  const refused: Candidate = { ...place, newText: undefined, refusal: "indentation" };
  const first = lineNumberAt(text, place.start) - 1;
  if (!endsLine(search, first, place.end)) return refused;
  const block = equalBlock(search, first);
  if (block.newText === undefined) return block;
  if (resultOf(text, block) === resultOf(text, place)) return place;
  return mayCountFromFile(search, lead + margin) ? refused : { ...block, strategy: "IndentationFlexible" };
}

/** Whether the place goes to the end of its last line, with or without the line ending. */
function endsLine({ lines, wanted }: Search, first: number, end: number): boolean {
  const last = lines[first + wanted.oldLines.length - 1];
  return last !== undefined && (end === last.end || end === last.end + last.ending.length);
}

function resultOf(text: string, { start, end, newText = "" }: Candidate): string {
  return text.slice(0, start) + newText + text.slice(end);
}

/** Lines that stand in as far as the line in the file, or further, may be right as they are written. */
function mayCountFromFile({ wanted }: Search, indent: string): boolean {
  const old = new Set(wanted.oldLines.map(trimEnd));
  const added = wanted.newLines.slice(1).filter((line) => !isBlank(line) && !old.has(trimEnd(line)));
  return added.length > 0 && added.every((line) => indentOf(line).startsWith(indent));
}
