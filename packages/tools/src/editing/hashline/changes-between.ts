/** Two versions of a text as a list of changes of lines, for edits that others than the model have finished. */
import { changeBetween, type LineChange, linesOf } from "./lines.ts";

/** Versions further apart than this are one change that covers all. */
const editLengthMax = 1_000;

/** Both normalised. */
export async function changesBetween(before: string, after: string): Promise<readonly LineChange[]> {
  // The library is loaded by the first edit that needs it, as for diffs.
  const { diffArrays } = await import("diff");
  const parts = diffArrays([...linesOf(before)], [...linesOf(after)], { maxEditLength: editLengthMax });
  if (parts === undefined) return changeBetween(before, after);
  const changes: LineChange[] = [];
  let index = 0;
  for (const { added, removed, value } of parts) {
    const last = changes.at(-1);
    if (removed) {
      changes.push({ index, removed: value.length, added: [] });
      index += value.length;
    } else if (!added) index += value.length;
    // The library names what goes before what comes in its place.
    else if (last !== undefined && last.index + last.removed === index && last.added.length === 0)
      changes[changes.length - 1] = { ...last, added: value };
    else changes.push({ index, removed: 0, added: value });
  }
  return changes;
}
