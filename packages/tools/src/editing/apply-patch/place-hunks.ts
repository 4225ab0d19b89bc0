/** Finds where the hunks of a patch belong in a text and makes the text that follows from them. */
import { byteOrderMark, lineEndingOf } from "../../file-content.ts";
import { asPlain } from "../edit-matching/typographic.ts";
import { similarRegion } from "../similar-region.ts";
import { type Hunk, type HunkLine, nameHunk } from "./patch.ts";

export type PlacedHunks =
  | { readonly ok: true; readonly after: string; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** One run of changed lines: `removed` lines go from `start` on, the added ones take their place. */
type Splice = { readonly start: number; removed: number; readonly added: HunkLine[] };

/** What one hunk changes, from the first changed line to behind the last; context is no part of it. */
type Placed = { readonly start: number; readonly end: number; readonly splices: readonly Splice[] };

/** How lines are compared: as they are, without the white space at their ends, or also without typographic characters. */
type Comparison = { readonly file: readonly string[]; readonly clean: (text: string) => string };

/** All places are found in the text as it is, so hunks never shift each other. */
export function placeHunks(path: string, text: string, hunks: readonly Hunk[]): PlacedHunks {
  const pieces = splitPieces(text);
  const plain = pieces.map(withoutEnding);
  const exact: Comparison = { file: plain, clean: withoutMarks };
  const lenient = lenientComparisons(plain);
  const placed: Placed[] = [];
  const warnings: string[] = [];
  for (const [index, hunk] of hunks.entries()) {
    let found = findPlaces(hunk, exact, placed);
    for (const { comparison, but } of found.length === 0 ? lenient : []) {
      found = findPlaces(hunk, comparison(), placed);
      if (found.length === 0) continue;
      if (found.length === 1)
        warnings.push(`${nameHunk(path, index, hunk)} matched but for ${but}; those of the file stay.`);
      break;
    }
    const [place] = found;
    const name = nameHunk(path, index, hunk);
    if (place === undefined) return { ok: false, problem: describeMissing(name, text, hunk, exact) };
    if (found.length > 1) return { ok: false, problem: describeSeveral(name, found) };
    placed.push(changesAt(hunk, place));
  }
  const splices = placed.flatMap((hunk) => hunk.splices);
  // What is inserted before a line comes before what replaces it.
  splices.sort((left, right) => left.start - right.start || left.removed - right.removed);
  return { ok: true, after: applySplices(pieces, splices, lineEndingOf(text) ?? endingAdded(splices)), warnings };
}

type Lenient = { readonly comparison: () => Comparison; readonly but: string };

/** From strict to lenient; the lines of the file are prepared when first needed. */
function lenientComparisons(file: readonly string[]): readonly Lenient[] {
  const prepared = (form: (line: string) => string): (() => Comparison) => {
    let comparison: Comparison | undefined;
    return () => {
      comparison ??= { file: file.map(form), clean: (line) => form(withoutMarks(line)) };
      return comparison;
    };
  };
  return [
    { comparison: prepared((line) => line.trimEnd()), but: "white space at line ends" },
    { comparison: prepared((line) => asPlain(line).trimEnd()), but: "typographic characters and spaces" },
  ];
}

/** Each with its line ending; only the last can be without. */
function splitPieces(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function withoutEnding(piece: string): string {
  if (!piece.endsWith("\n")) return piece;
  return piece.slice(0, piece.endsWith("\r\n") ? -2 : -1);
}

/** The byte order mark is kept apart from the text, and the file's own line endings stay. */
function withoutMarks(text: string): string {
  const line = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** The line indexes where the hunk can be meant: one if that is clear. */
function findPlaces(hunk: Hunk, comparison: Comparison, placed: readonly Placed[]): readonly number[] {
  const { file, clean } = comparison;
  const wanted = hunk.lines.filter(({ kind }) => kind !== "add").map(({ text }) => clean(text));
  const anchored = findAnchors(hunk.anchors, file);
  // The words behind a range are a reminder for people; elsewhere they say where the hunk belongs.
  if (hunk.anchors.length > 0 && anchored.length === 0 && hunk.statedLine === undefined) return [];
  const isFree = (place: number) => {
    const { start, end } = changesAt(hunk, place);
    return placed.every((other) => end <= other.start || start >= other.end);
  };
  if (wanted.length === 0) return placeInsertion(hunk, file, anchored).filter(isFree);
  const fits = (place: number) => wanted.every((line, offset) => file[place + offset] === line) && isFree(place);

  if (hunk.statedLine !== undefined && fits(hunk.statedLine - 1)) return [hunk.statedLine - 1];
  const last = file.length - wanted.length;
  if (hunk.atEnd && last >= 0 && fits(last)) return [last];
  const places: number[] = [];
  for (let place = 0; place <= last; place += 1) if (file[place] === wanted[0] && fits(place)) places.push(place);
  const near = anchored.length === 0 ? places : nearAnchors(places, wanted.length, anchored, file);
  if (near.length < 2) return near;
  // Hunks are written in the order of the file.
  const before = placed.at(-1)?.end ?? 0;
  const following = near.filter((place) => changesAt(hunk, place).start >= before);
  return following.length === 1 ? following : near;
}

/** Without a line to look for there is the stated line, the anchor, or the end of the file. */
function placeInsertion(hunk: Hunk, file: readonly string[], anchored: readonly number[]): readonly number[] {
  if (hunk.statedLine !== undefined) return [Math.min(Math.max(hunk.statedLine - 1, 0), file.length)];
  if (hunk.anchors.length > 0) return anchored.map((line) => line + 1);
  return [file.length];
}

/** The lines that the innermost anchor can mean; none if there is no anchor or it is not in the file. */
function findAnchors(anchors: readonly string[], file: readonly string[]): readonly number[] {
  let found: readonly number[] | undefined;
  for (const anchor of anchors) {
    const wanted = anchor.trim();
    const equal = linesWith(wanted, file, (line) => line === wanted);
    const lines = equal.length > 0 ? equal : linesWith(wanted, file, (line) => line.startsWith(wanted));
    // Below each line that the outer anchor can mean, the first that the inner one can.
    found =
      found === undefined ? lines : [...new Set(found.flatMap((line) => lines.find((below) => below > line) ?? []))];
  }
  return found ?? [];
}

/** Looks for the words before it trims, which few lines need then. */
function linesWith(words: string, file: readonly string[], isMeant: (trimmed: string) => boolean): readonly number[] {
  const found: number[] = [];
  for (const [index, line] of file.entries()) if (line.includes(words) && isMeant(line.trim())) found.push(index);
  return found;
}

/** Of each anchor the places in its block, else the first below it. A hunk may show the anchor itself as context. */
function nearAnchors(
  places: readonly number[],
  length: number,
  anchored: readonly number[],
  file: readonly string[],
): readonly number[] {
  const near = anchored.flatMap((anchor) => {
    const end = blockEnd(anchor, file);
    const below = places.filter((place) => place + length > anchor);
    const inside = below.filter((place) => place < end);
    return inside.length > 0 ? inside : below.slice(0, 1);
  });
  return [...new Set(near)];
}

/** The index behind the lines that are indented more than this one. */
function blockEnd(start: number, file: readonly string[]): number {
  const indentation = (line: string) => line.length - line.trimStart().length;
  const own = indentation(file[start] ?? "");
  for (let index = start + 1; index < file.length; index += 1) {
    const line = file[index] ?? "";
    if (line.trim() !== "" && indentation(line) <= own) return index;
  }
  return file.length;
}

function changesAt(hunk: Hunk, place: number): Placed {
  const splices: Splice[] = [];
  let line = place;
  let open: Splice | undefined;
  for (const hunkLine of hunk.lines) {
    if (hunkLine.kind === "keep") {
      open = undefined;
      line += 1;
      continue;
    }
    if (open === undefined) {
      open = { start: line, removed: 0, added: [] };
      splices.push(open);
    }
    if (hunkLine.kind === "add") open.added.push(hunkLine);
    else {
      open.removed += 1;
      line += 1;
    }
  }
  const last = splices.at(-1);
  return { start: splices[0]?.start ?? place, end: last === undefined ? place : last.start + last.removed, splices };
}

/** Added lines end like the line they replace or follow. A last line without ending gets one when it is last no more. */
function applySplices(pieces: readonly string[], splices: readonly Splice[], prevailing: string): string {
  const result: string[] = [];
  const push = (piece: string, ending: string) => {
    if (result.length > 0 && endingOf(result.at(-1)) === undefined) result.push(ending);
    result.push(piece);
  };
  let next = 0;
  for (const { start, removed, added } of splices) {
    for (; next < start; next += 1) push(pieces[next] ?? "", prevailing);
    const ending = endingOf(removed > 0 ? pieces[start] : pieces[start - 1]) ?? prevailing;
    for (const { text, endsFile } of added) push(withoutMarks(text) + (endsFile === true ? "" : ending), ending);
    next = start + removed;
  }
  for (; next < pieces.length; next += 1) push(pieces[next] ?? "", prevailing);
  return result.join("");
}

/** A text of one line has no style that could be kept. */
function endingAdded(splices: readonly Splice[]): string {
  return splices.some(({ added }) => added.some(({ text }) => text.endsWith("\r"))) ? "\r\n" : "\n";
}

function endingOf(piece: string | undefined): string | undefined {
  if (piece?.endsWith("\n") !== true) return undefined;
  return piece.endsWith("\r\n") ? "\r\n" : "\n";
}

const shownPlacesMax = 10;

function describeSeveral(name: string, places: readonly number[]): string {
  const shown = places.slice(0, shownPlacesMax).map((place) => place + 1);
  const more = places.length > shownPlacesMax ? ", …" : "";
  return `${name} fits ${places.length} places, at lines ${shown.join(", ")}${more}. Add context lines, or a line @@ with the text of a line above the right one.`;
}

function describeMissing(name: string, text: string, hunk: Hunk, comparison: Comparison): string {
  const elsewhere = findPlaces({ ...hunk, anchors: [] }, comparison, []).at(0);
  if (elsewhere !== undefined && hunk.lines.some(({ kind }) => kind !== "add")) {
    if (hunk.anchors.length > 0) {
      const isThere = findAnchors(hunk.anchors, comparison.file).length > 0;
      const reason = isThere ? "which is not below its @@ line" : "but its @@ line is not in the file";
      return `${name} fits at line ${elsewhere + 1}, ${reason}. Correct the one or the other.`;
    }
    return `${name} changes lines that an earlier hunk changes, at line ${elsewhere + 1}. Make one hunk of them.`;
  }
  if (hunk.lines.every(({ kind }) => kind === "add"))
    return `${name} has no context, and its @@ line is not in the file. Add context lines that begin with a space.`;
  const applied = findResult(hunk, comparison);
  if (applied !== undefined)
    return `${name} does not fit, but its result is already at line ${applied + 1}. Leave it out if that is so.`;
  const wanted = hunk.lines.filter(({ kind }) => kind !== "add").map((line) => line.text);
  const region = similarRegion(text, wanted.join("\n"));
  const missing = `${name} does not fit: its context and removed lines are not in the file in this order.`;
  if (region === undefined) return `${missing} Read the file again and copy its lines.`;
  return `${missing} Copy the lines as they are. Most similar, from line ${region.line}:\n${region.text}`;
}

/** Where the text stands that the hunk would make. A hunk that adds nothing makes nothing to look for. */
function findResult(hunk: Hunk, comparison: Comparison): number | undefined {
  if (!hunk.lines.some(({ kind, text }) => kind === "add" && text.trim() !== "")) return undefined;
  const result = hunk.lines.filter(({ kind }) => kind !== "remove");
  const lines = result.map((line): HunkLine => ({ ...line, kind: "keep" }));
  return findPlaces({ ...hunk, lines }, comparison, []).at(0);
}
