/** What a call wants to see of one target, and how the lines that were found are shown. */
import type { ToolOutput } from "@kedge/protocol";
import { type LineSelector, withContext } from "./selector.ts";
import { type LineRange, type LineWindow, windowLinesMax } from "./text/line-window.ts";

export type Selection = {
  readonly ranges: readonly LineRange[];
  /** The first line that was asked for; one before it may be shown too. */
  readonly first: number;
  readonly isRaw: boolean;
  /** The call said which lines it wants. */
  readonly isPartial: boolean;
  /** How to ask for what follows, up to the number of the next line. */
  readonly continueWith: string;
};

export type Target = {
  /** Absolute. */
  readonly path: string;
  readonly title: string;
  readonly selection: Selection;
  readonly pages: string | undefined;
  /** Whether its content counts as known to the model afterwards, so that it may be changed. */
  readonly isRemembered: boolean;
};

export const mixingProblem = "Select lines either in the path or with offset and limit, not both.";

type Lines = { readonly offset?: number; readonly limit?: number };

export function selectLines({ offset, limit }: Lines): Selection {
  const first = offset ?? 1;
  return {
    ranges: [{ first, last: limit === undefined ? Number.POSITIVE_INFINITY : first + limit - 1 }],
    first,
    isRaw: false,
    isPartial: offset !== undefined || limit !== undefined,
    continueWith: "offset ",
  };
}

export function selectBy(selector: LineSelector, name: string): Selection {
  return {
    ranges: withContext(selector),
    first: selector.ranges?.[0]?.first ?? 1,
    isRaw: selector.isRaw,
    isPartial: selector.ranges !== undefined,
    continueWith: `${name}:${selector.isRaw ? "raw:" : ""}`,
  };
}

/** The ranges up to that many lines. */
export function limitLines(ranges: readonly LineRange[], linesMax: number): readonly LineRange[] {
  const kept: LineRange[] = [];
  let left = linesMax;
  for (const { first, last } of ranges) {
    if (left === 0) break;
    const end = Math.min(last, first + left - 1);
    kept.push({ first, last: end });
    left -= end - first + 1;
  }
  return kept;
}

/** The same ranges, those without an end cut to that many lines. */
export function limitOpen(ranges: readonly LineRange[], linesMax: number): readonly LineRange[] {
  // Nothing is copied in the usual case: the window itself shows no more.
  if (linesMax >= windowLinesMax || ranges.at(-1)?.last !== Number.POSITIVE_INFINITY) return ranges;
  return ranges.map(({ first, last }) => ({ first, last: Number.isFinite(last) ? last : first + linesMax - 1 }));
}

export type Shown = {
  readonly unit: "lines" | "entries";
  /** False when the lines after the window were not counted. */
  readonly isWhole?: boolean;
};

export function showLines(
  window: LineWindow,
  { title, selection }: Target,
  { unit, isWhole = true }: Shown,
): ToolOutput {
  const { rows, first, last, total, shown } = window.result();
  const metadata = isWhole
    ? { firstLine: first, lastLine: last, totalLines: total }
    : { firstLine: first, lastLine: last };
  if (total === 0)
    return { output: unit === "lines" ? "(the file is empty)" : "(the directory is empty)", title, metadata };
  if (isWhole && (selection.first > total || shown === ""))
    return { output: `${onlyText(total, unit)}; ${selection.first} is past the end.`, title, metadata };
  const hasRest = !isWhole || last < total;
  if (selection.isRaw && !hasRest) return { output: rows, title, metadata };
  const rest = hasRest ? `; continue with ${selection.continueWith}${last + 1}` : "";
  const all = isWhole ? total : `more than ${total}`;
  return { output: `${rows}(${unit} ${shown} of ${all}${rest})`, title, metadata };
}

export function onlyText(total: number, unit: Shown["unit"]): string {
  if (total !== 1) return `There are only ${total} ${unit}`;
  return `There is only 1 ${unit === "lines" ? "line" : "entry"}`;
}
