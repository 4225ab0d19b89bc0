/** A diff made ready for the screen: clean texts, long unchanged runs folded, lines paired, and cut at a limit. */
import type { DiffFile, DiffHunk, DiffLine } from "@kedge/protocol";
import { judgedText } from "../screen/clean-text.ts";
import { changedWords, type TextRange, withoutSpaces } from "./changed-words.ts";

export type ShownLine = {
  readonly kind: DiffLine["kind"];
  readonly text: string;
  readonly oldNumber: number | undefined;
  readonly newNumber: number | undefined;
  readonly changed: readonly TextRange[];
  readonly isUnended: boolean;
};

export type ShownPart =
  | { readonly kind: "context"; readonly line: ShownLine }
  | {
      readonly kind: "change";
      readonly removed: readonly ShownLine[];
      readonly added: readonly ShownLine[];
      readonly isSpacingOnly: boolean;
    }
  /** Unchanged lines that are not shown; 0 when it is not known how many. */
  | { readonly kind: "fold"; readonly count: number; readonly heading: string };

export type ShownHunk = { readonly parts: readonly ShownPart[] };
export type ShownFile = { readonly path: string; readonly isBinary: boolean; readonly hunks: readonly ShownHunk[] };
export type ShownDiff = { readonly files: readonly ShownFile[]; readonly leftOut: number; readonly numberMax: number };

/** Unchanged lines around a change. */
const contextKept = 3;
/** Folding fewer lines would save nothing. */
const foldedMin = 2;

export function shownDiff(files: readonly DiffFile[], linesMax: number): ShownDiff {
  let left = linesMax;
  let leftOut = 0;
  let numberMax = 0;
  const shownFiles = files.map(({ oldPath, newPath, isBinary, hunks }): ShownFile => {
    const keepsReturns = !hunks.every(({ lines }) => lines.every(({ text }) => text.endsWith("\r")));
    let before: DiffHunk | undefined;
    const shown: ShownHunk[] = [];
    for (const hunk of hunks) {
      const runs = runsOf(hunk);
      const parts: ShownPart[] = [];
      const gap = foldBefore(before, hunk);
      if (left > 0 && gap !== undefined) parts.push(gap);
      for (const [index, run] of runs.entries()) {
        const folded = foldRun(run, { isFirst: index === 0, isLast: index === runs.length - 1 });
        for (const piece of folded) {
          if (piece.kind === "fold") {
            if (left > 0) pushFold(parts, piece);
            continue;
          }
          const kept = piece.lines.slice(0, left);
          left -= kept.length;
          leftOut += piece.lines.length - kept.length;
          for (const { oldNumber = 0, newNumber = 0 } of kept) numberMax = Math.max(numberMax, oldNumber, newNumber);
          parts.push(...partsOf(kept, keepsReturns));
        }
      }
      before = hunk;
      if (parts.length > 0) shown.push({ parts });
    }
    return { path: newPath ?? oldPath ?? "", isBinary, hunks: shown };
  });
  return { files: shownFiles, leftOut, numberMax };
}

type Run = { readonly isContext: boolean; readonly lines: DiffLine[] };
type Fold = Extract<ShownPart, { kind: "fold" }>;

/** Unchanged lines, or removed ones with the added ones behind them. */
function runsOf({ lines }: DiffHunk): readonly Run[] {
  const runs: Run[] = [];
  let last: DiffLine["kind"] | undefined;
  for (const line of lines) {
    const isContext = line.kind === "context";
    const run = runs.at(-1);
    const goesOn = run?.isContext === isContext && !(last === "added" && line.kind === "removed");
    if (run !== undefined && goesOn) run.lines.push(line);
    else runs.push({ isContext, lines: [line] });
    last = line.kind;
  }
  return runs;
}

type Folded = Fold | { readonly kind: "lines"; readonly lines: readonly DiffLine[] };

function foldRun(
  { isContext, lines }: Run,
  at: { readonly isFirst: boolean; readonly isLast: boolean },
): readonly Folded[] {
  const before = at.isFirst ? 0 : contextKept;
  const after = at.isLast ? 0 : contextKept;
  const count = lines.length - before - after;
  if (!isContext || (at.isFirst && at.isLast) || count < foldedMin) return [{ kind: "lines", lines }];
  return [
    { kind: "lines", lines: lines.slice(0, before) },
    { kind: "fold", count, heading: "" },
    { kind: "lines", lines: lines.slice(lines.length - after) },
  ];
}

function pushFold(parts: ShownPart[], fold: Fold): void {
  const last = parts.at(-1);
  if (last?.kind !== "fold") parts.push(fold);
  else parts.splice(-1, 1, { ...last, count: last.count + fold.count });
}

/** What lies between two hunks, or before the first. */
function foldBefore(before: DiffHunk | undefined, hunk: DiffHunk): Fold | undefined {
  const first = hunk.lines.find(({ oldNumber }) => oldNumber !== undefined)?.oldNumber;
  if (before === undefined) {
    const count = (first ?? hunk.newStart) - 1;
    return count > 0 ? { kind: "fold", count, heading: judgedText(hunk.heading) } : undefined;
  }
  const end = before.lines.findLast(({ oldNumber }) => oldNumber !== undefined)?.oldNumber ?? before.oldStart;
  return { kind: "fold", count: Math.max(0, (first ?? hunk.oldStart) - end - 1), heading: judgedText(hunk.heading) };
}

function partsOf(lines: readonly DiffLine[], keepsReturns: boolean): readonly ShownPart[] {
  if (lines.length === 0) return [];
  const shown = lines.map((line) => shownLine(line, keepsReturns));
  if (shown[0]?.kind === "context") return shown.map((line) => ({ kind: "context", line }));
  const removed = shown.filter(({ kind }) => kind === "removed");
  const added = shown.filter(({ kind }) => kind === "added");
  const isSpacingOnly = withoutSpaces(joined(removed)) === withoutSpaces(joined(added));
  const words = removed.map((line, index) => changedWords(line.text, added[index]?.text ?? ""));
  return [
    {
      kind: "change",
      removed: removed.map((line, index) => ({
        ...line,
        changed: added[index] === undefined ? [] : (words[index]?.before ?? []),
      })),
      added: added.map((line, index) => ({ ...line, changed: words[index]?.after ?? [] })),
      isSpacingOnly,
    },
  ];
}

function joined(lines: readonly ShownLine[]): string {
  return lines.map(({ text }) => text.replace(/␍$/, "")).join("\n");
}

/** A diff is judged by a person, so nothing in it may vanish; only a file whose every line ends alike hides its returns. */
function shownLine({ kind, text, oldNumber, newNumber, isUnended }: DiffLine, keepsReturns: boolean): ShownLine {
  const kept = keepsReturns ? text : text.replace(/\r$/, "");
  return { kind, text: judgedText(kept), oldNumber, newNumber, changed: [], isUnended: isUnended === true };
}
