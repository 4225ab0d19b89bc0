/** The diff of two texts, in the same shape as one that was read. */
import { createHunkBuilder, type DiffFile } from "@kedge/protocol";
// Its index brings every kind of diff along.
import { structuredPatch } from "diff/lib/patch/create.js";

const contextLines = 3;
/** Texts that differ in more lines than this are shown as one replaced by the other: finding more would take too long. */
const editLengthMax = 1000;

export function diffLines(before: string, after: string, path?: string): DiffFile {
  const paths = path === undefined ? {} : { oldPath: path, newPath: path };
  const options = { context: contextLines, maxEditLength: editLengthMax };
  const patch = structuredPatch("", "", before, after, "", "", options);
  if (patch === undefined) return { ...paths, isBinary: false, hunks: [replaced(before, after)] };
  const hunks = patch.hunks.map(({ oldStart, newStart, lines }) => {
    const builder = createHunkBuilder({ oldStart, newStart, heading: "" });
    for (const line of lines) builder.add(line);
    return builder.hunk();
  });
  return { ...paths, isBinary: false, hunks };
}

function replaced(before: string, after: string) {
  const builder = createHunkBuilder({ oldStart: 1, newStart: 1, heading: "" });
  for (const line of linesOf(before)) builder.add(`-${line}`);
  for (const line of linesOf(after)) builder.add(`+${line}`);
  return builder.hunk();
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
