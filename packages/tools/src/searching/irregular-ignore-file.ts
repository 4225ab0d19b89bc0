/** Finds ignore files that are no files: ripgrep opens them all, and would wait for a pipe for ever. */
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

const names: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore"]);
const excludeFile = ".git/info/exclude";
const directoriesMax = 50_000;

/** At once: in the directories themselves and those above them. */
export function findIrregularAbove(directories: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const start of directories) {
    for (let directory = start; !seen.has(directory); directory = dirname(directory)) {
      seen.add(directory);
      const found = [...names, excludeFile].map((name) => join(directory, name)).find(isIrregular);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Below the directories, one after the other; for a search that takes suspiciously long. */
export async function findIrregularBelow(
  directories: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const left = [...directories];
  for (let count = 0; count < directoriesMax && !signal.aborted; count++) {
    const directory = left.shift();
    if (directory === undefined) return undefined;
    // What cannot be listed is not searched either.
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== ".git") left.push(path);
        else if (isIrregular(join(directory, excludeFile))) return join(directory, excludeFile);
      } else if (!entry.isFile() && names.has(entry.name) && isIrregular(path)) return path;
    }
  }
  return undefined;
}

export function describeIrregular(path: string): string {
  return `${path} is a pipe, socket or device instead of an ignore file, and a search would wait for it. Remove it, or search elsewhere.`;
}

/** Links are followed, as ripgrep does. */
function isIrregular(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && !stats.isFile() && !stats.isDirectory();
  } catch (error) {
    // What cannot be reached cannot be opened.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
