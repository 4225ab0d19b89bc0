/** The short diff in a model's result: old numbers for lines that went, new numbers, valid for the fresh tag, for the rest. */
import type { LineChange } from "./lines.ts";
import { tagRow } from "./render-tagged.ts";

const contextLines = 1;
const rowsMax = 60;

export function renderCompactDiff(before: readonly string[], changes: readonly LineChange[]): string {
  const rows: string[] = [];
  /** Index of the next old line that has not been written. */
  let next = 0;
  let shift = 0;
  const writeContext = (from: number, to: number) => {
    const last = Math.min(to, before.length);
    for (let index = Math.max(from, next); index < last; index += 1)
      rows.push(tagRow(index + shift + 1, before[index] ?? "", " "));
    next = Math.max(next, last);
  };
  for (const [position, { index, removed, added }] of changes.entries()) {
    if (position > 0) {
      const end = Math.min(next + contextLines, index);
      writeContext(next, end);
      if (index - contextLines > end) rows.push("…");
    }
    writeContext(index - contextLines, index);
    for (let old = index; old < index + removed; old += 1) rows.push(`-${old + 1}:${before[old] ?? ""}`);
    for (const [offset, line] of added.entries()) rows.push(`+${index + shift + offset + 1}:${line}`);
    shift += added.length - removed;
    next = index + removed;
  }
  if (changes.length > 0) writeContext(next, next + contextLines);
  if (rows.length <= rowsMax) return rows.join("\n");
  return [...rows.slice(0, rowsMax), `… ${rows.length - rowsMax} more rows`].join("\n");
}
