/** Shows a long source file by its declarations: what stands inside of bodies is left out, and its lines are named. */
import type { ToolOutput } from "@kedge/protocol";
import type { Grammars } from "../../syntax/grammars.ts";
import { couldBeOutlined, outlineOf } from "../../syntax/outline.ts";
import { createLineWindow, describeGap, type LineRange, windowBytesMax } from "./line-window.ts";

export type SourceText = {
  readonly path: string;
  readonly title: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly totalLines: number;
  /** At most so many lines are kept; a longer summary would be none. */
  readonly linesMax: number;
};

export const summarisedBytesMax = 2 * 1_024 * 1_024;
export const summarisedLinesMax = 20_000;
const namedGapsMax = 3;

/** Undefined where no summary is to be had, so that the beginning is shown instead. */
export async function summariseSource(source: SourceText, grammars: Grammars): Promise<ToolOutput | undefined> {
  const room = { linesMax: source.linesMax, charactersMax: windowBytesMax };
  const row = grammars.rowOf(source.path);
  if (row === undefined || !couldBeOutlined(source.text, room)) return undefined;
  const parsed = await grammars.parse(row, source.text);
  if (!parsed.ok) return undefined;
  const gaps = outlineOf(parsed.root, source.text, room);
  const output = gaps === undefined ? undefined : showOutline(source, gaps);
  // The lines are not called shown: most of them are not.
  const metadata = { totalLines: source.totalLines, isSummary: true };
  return output === undefined ? undefined : { output, title: source.title, metadata };
}

/** Undefined when its characters are so wide that it is too long. */
function showOutline({ text, title, totalLines }: SourceText, gaps: readonly LineRange[]): string | undefined {
  const omitted = gaps.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const kept = linesBetween(gaps, totalLines);
  const lastKept = kept.at(-1);
  const window = createLineWindow(kept, { numbersGaps: true });
  window.addText(text);
  const { rows, last } = window.result();
  if (lastKept === undefined || last < lastKept.last) return undefined;
  const rest = last < totalLines ? describeGap({ first: last + 1, last: totalLines }) : "";
  const examples = longest(gaps).map((gap) => `${gap.first}-${gap.last}`);
  return `${rows}${rest}(outline of ${totalLines} lines, ${omitted} of them left out at …; read what you need by its lines, such as ${title}:${examples.join(",")}, or all from ${title}:1-)`;
}

function linesBetween(gaps: readonly LineRange[], totalLines: number): readonly LineRange[] {
  const kept: LineRange[] = [];
  let first = 1;
  for (const gap of gaps) {
    if (gap.first > first) kept.push({ first, last: gap.first - 1 });
    first = gap.last + 1;
  }
  if (first <= totalLines) kept.push({ first, last: totalLines });
  return kept;
}

/** In the order of the file. */
function longest(gaps: readonly LineRange[]): readonly LineRange[] {
  return gaps
    .toSorted((left, right) => right.last - right.first - (left.last - left.first))
    .slice(0, namedGapsMax)
    .sort((left, right) => left.first - right.first);
}
