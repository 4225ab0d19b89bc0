/** Takes a unified diff of many files apart: the patch of each, and how many lines it adds and takes away. */
import { diffCounts, readUnifiedDiff } from "@kedge/protocol";

export type FilePatch = { readonly patch: string; readonly additions: number; readonly deletions: number };

const fileStart = /^diff --git /m;

/** By the path that the file has now, or had before it was deleted. */
export function splitDiff(text: string): ReadonlyMap<string, FilePatch> {
  const patches = new Map<string, FilePatch>();
  for (const body of text.split(fileStart).slice(1)) {
    const patch = `diff --git ${body}`;
    const { files } = readUnifiedDiff(patch);
    const path = files[0]?.newPath ?? files[0]?.oldPath;
    const { added, removed } = diffCounts(files);
    if (path !== undefined) patches.set(path, { patch, additions: added, deletions: removed });
  }
  return patches;
}
