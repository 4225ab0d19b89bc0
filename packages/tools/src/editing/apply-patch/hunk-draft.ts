/** Collects the lines of one hunk, as both forms of patches write them. */
import { type FilePatch, type Hunk, type HunkLine, nameHunk } from "./patch.ts";

/** Mutable while a parser fills it. */
export type HunkDraft = {
  readonly header: string;
  readonly anchors: string[];
  readonly statedLine?: number;
  readonly lines: HunkLine[];
  /** How many empty lines without their leading space came last. */
  bareLines: number;
  atEnd: boolean;
};

/** `@@ -1,3 +1,4 @@ heading`; the counts, the second range and the closing signs may be missing. */
const rangeHeader = /^@@+\s*-(\d+)(?:,(\d+))?(?:\s+\+(\d+)(?:,(\d+))?)?\s*(?:@@+\s?(.*))?$/;

export type HunkRange = { readonly start: number; readonly oldCount: number; readonly newCount: number };

/** Takes a header with a range, with the words of a line above the hunk, with both or with neither. */
export function startHunk(header: string): { readonly draft: HunkDraft; readonly range?: HunkRange } {
  const trimmed = header.trim();
  const [found, start, oldCount = "1", newStart, newCount, heading = ""] = rangeHeader.exec(trimmed) ?? [];
  const anchor = found === undefined ? anchorOf(trimmed) : heading.trim();
  const anchors = anchor === "" ? [] : [anchor];
  const rest = { lines: [], bareLines: 0, atEnd: false };
  if (start === undefined) return { draft: { header: trimmed, anchors, ...rest } };
  const range = {
    start: Number(start),
    oldCount: Number(oldCount),
    newCount: Number(newCount ?? (newStart === undefined ? 0 : 1)),
  };
  // A range without old lines names the line before the place, all others name their first line.
  const statedLine = range.oldCount === 0 ? range.start + 1 : range.start;
  return { draft: { header: trimmed, anchors, statedLine, ...rest }, range };
}

/** The words of `@@ words`, also of `@@ words @@`. */
export function anchorOf(header: string): string {
  return header.replace(/^@@+/, "").replace(/@@+$/, "").trim();
}

const kinds = { " ": "keep", "-": "remove", "+": "add" } as const;

/** False when the line is none of a hunk. An empty line is a context line that lost its leading space. */
export function takeHunkLine(draft: HunkDraft, line: string): boolean {
  if (line.startsWith("\\")) {
    const last = draft.lines.pop();
    if (last !== undefined) draft.lines.push({ ...last, endsFile: true });
    return true;
  }
  const isBare = line === "" || line === "\r";
  const sign = isBare ? " " : line[0];
  if (sign !== " " && sign !== "-" && sign !== "+") return false;
  draft.lines.push({ kind: kinds[sign], text: isBare ? "" : line.slice(1) });
  draft.bareLines = isBare ? draft.bareLines + 1 : 0;
  return true;
}

/** Empty lines at the end that lack their leading space are the spacing between parts of a patch. */
export function finishHunk({ bareLines, ...hunk }: HunkDraft): Hunk {
  return bareLines === 0 ? hunk : { ...hunk, lines: hunk.lines.slice(0, -bareLines) };
}

/** Only a range without old lines says where lines go that have no context. */
const emptyRange = /^@@+\s*-(\d+,)?0\b/;

/** A sentence for the model when a hunk could not do anything, or could do it anywhere. */
export function objectToHunks(file: FilePatch): string | undefined {
  if (file.kind === "add") return undefined;
  const idle = file.hunks.findIndex(({ lines }) => lines.every(({ kind }) => kind === "keep"));
  const hunk = file.hunks[idle];
  if (hunk !== undefined)
    return `${nameHunk(file.path, idle, hunk)} changes nothing; begin removed lines with - and added lines with +.`;
  const adrift = file.hunks.findIndex(
    ({ lines, header, statedLine }) =>
      statedLine !== undefined && lines.every(({ kind }) => kind === "add") && !emptyRange.test(header),
  );
  const loose = file.hunks[adrift];
  if (loose !== undefined)
    return `${nameHunk(file.path, adrift, loose)} names old lines but shows none; add context lines that begin with a space.`;
  if (file.kind === "update" && file.hunks.length === 0 && file.moveTo === undefined)
    return `${file.path} is to be updated, but no hunk follows; write @@ and lines that begin with a space, - or +.`;
  return undefined;
}

/** The text of a new file. */
export function joinAdded(lines: readonly HunkLine[]): string {
  return lines.map(({ text, endsFile }) => (endsFile === true ? text : `${text}\n`)).join("");
}
