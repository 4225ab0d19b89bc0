/** Understands what may trail a path: `a.ts:10-20`, `a.ts:5+3,40-`, `a.ts:raw` or `a.ts:conflicts`. */
import type { LineRange } from "./text/line-window.ts";

export type LineSelector = {
  readonly kind: "lines";
  /** As asked for, sorted and merged; without any the whole is meant. */
  readonly ranges?: readonly LineRange[];
  readonly isRaw: boolean;
};

export type Selector = LineSelector | { readonly kind: "conflicts" };

export type SelectedPath = {
  readonly path: string;
  readonly selector: { readonly ok: true; readonly value: Selector } | { readonly ok: false; readonly problem: string };
};

const rangePattern = /^L?(\d{1,9})(?:(-|\.\.)(?:L?(\d{1,9}))?|\+(\d{1,9}))?$/;
const rangesMax = 20;
const contextBefore = 1;
const contextAfter = 3;

/** The ways to take a trailing part off, the shortest part first; none where no trailing part is a selector. */
export function splitSelector(target: string): readonly SelectedPath[] {
  const last = target.lastIndexOf(":");
  if (last < 1) return [];
  const part = target.slice(last + 1);
  const alone = readPart(part);
  if (alone === undefined) return [];
  const path = target.slice(0, last);
  const found: SelectedPath[] = [{ path, selector: asSelector(alone) }];
  const previous = path.lastIndexOf(":");
  const second = previous < 1 ? undefined : readPart(path.slice(previous + 1));
  // One of the two must be `raw`: two ranges are one list, written with a comma.
  const ranges = alone === "raw" ? second : second === "raw" ? alone : undefined;
  if (typeof ranges === "object")
    found.push({ path: path.slice(0, previous), selector: asSelector(ranges, { isRaw: true }) });
  return found;
}

/** The lines to show for what was asked: a bounded side gets a little of what stands around it. */
export function withContext({ ranges, isRaw }: LineSelector): readonly LineRange[] {
  if (ranges === undefined) return [{ first: 1, last: Number.POSITIVE_INFINITY }];
  if (isRaw) return ranges;
  return mergeRanges(
    ranges.map(({ first, last }) => ({ first: Math.max(1, first - contextBefore), last: last + contextAfter })),
  );
}

type Part = "raw" | "conflicts" | { readonly ranges: readonly LineRange[] } | { readonly problem: string };

function asSelector(part: Part, { isRaw = false } = {}): SelectedPath["selector"] {
  if (part === "raw") return { ok: true, value: { kind: "lines", isRaw: true } };
  if (part === "conflicts") return { ok: true, value: { kind: "conflicts" } };
  if ("problem" in part) return { ok: false, problem: part.problem };
  return { ok: true, value: { kind: "lines", ranges: part.ranges, isRaw } };
}

function readPart(text: string): Part | undefined {
  if (text === "raw" || text === "conflicts") return text;
  const words = text.split(",").map((word) => word.trim());
  const matches = words.map((word) => rangePattern.exec(word));
  if (matches.length > rangesMax)
    return matches.includes(null) ? undefined : { problem: `:${text} has more than ${rangesMax} ranges.` };
  const ranges: LineRange[] = [];
  for (const match of matches) {
    // A two-dot range has no open form, so `a..` is a name.
    if (match === null || (match[2] === ".." && match[3] === undefined)) return undefined;
    const [range, , dash, to, count] = match;
    const first = Number(match[1]);
    const last = lastOf({ first, to, count, isOpen: dash !== undefined || matches.length === 1 });
    if (first < 1 || last < first)
      return {
        problem: `:${range} is not a range of lines: they count from 1, and the end must not be before the start.`,
      };
    ranges.push({ first, last });
  }
  return { ranges: mergeRanges(ranges) };
}

type Bounds = {
  readonly first: number;
  readonly to: string | undefined;
  readonly count: string | undefined;
  /** A lone number means "from here on"; in a list it is one line. */
  readonly isOpen: boolean;
};

function lastOf({ first, to, count, isOpen }: Bounds): number {
  if (to !== undefined) return Number(to);
  if (count !== undefined) return first + Number(count) - 1;
  return isOpen ? Number.POSITIVE_INFINITY : first;
}

function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: LineRange[] = [];
  for (const range of [...ranges].sort((left, right) => left.first - right.first)) {
    const before = merged.at(-1);
    if (before === undefined || range.first > before.last + 1) merged.push(range);
    else merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
  }
  return merged;
}
