/** Finds pipes and devices in the place of files that git reads for its rules: git would wait for them for ever. */
import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { devNull } from "node:os";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Shadow } from "./shadow-directory.ts";

const names: ReadonlySet<string> = new Set([".gitignore", ".gitattributes", ".gitmodules"]);
const directoriesMax = 50_000;
/** A snapshot that takes longer is worth a look through the whole workspace. */
const suspiciousMs = 1_000;

/** At once: in the root, and the private rules of the user's repository. */
export function findWaitingFile({ place, excludeFile }: Shadow): string | undefined {
  return [...[...names].map((name) => join(place.root, name)), excludeFile].find(isWaitedFor);
}

/** Looks through the workspace once the work takes long, and stops it when something is found. */
export async function stoppedByWaitingFile<Result>(
  { place: { root } }: Shadow,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result; readonly found?: string }> {
  const ended = new AbortController();
  const stopped = new AbortController();
  let found: string | undefined;
  const looking = setTimeout(suspiciousMs, undefined, { signal: ended.signal }).then(async () => {
    found = await findBelow(root, ended.signal);
    if (found !== undefined) stopped.abort();
  });
  // The work is over before anything was suspicious.
  looking.catch(() => undefined);
  try {
    const result = await work(AbortSignal.any([signal, stopped.signal]));
    return stopped.signal.aborted && found !== undefined ? { result, found } : { result };
  } finally {
    ended.abort();
  }
}

export function describeWaitingFile({ place: { root } }: Shadow, path: string): string {
  const name = path.startsWith(`${root}/`) ? relative(root, path) : path;
  return `${name} is a pipe or a device instead of a file, and git would wait for it.`;
}

async function findBelow(root: string, signal: AbortSignal): Promise<string | undefined> {
  const left = [root];
  for (let count = 0; count < directoriesMax && !signal.aborted; count += 1) {
    const directory = left.shift();
    if (directory === undefined) return undefined;
    // What cannot be listed is not read by git either.
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && entry.name !== ".git") left.push(path);
      else if (names.has(entry.name) && isWaitedFor(path)) return path;
    }
  }
  return undefined;
}

/** Git follows no links to these files. */
function isWaitedFor(path: string): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFIFO() === true || (found?.isCharacterDevice() === true && path !== devNull);
  } catch (error) {
    // What cannot be reached cannot be opened.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
