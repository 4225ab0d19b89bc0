/** Walks the folders of a workspace within limits of time, depth and number, nearest folders first. */
import { type Dir, type Dirent, opendirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

export type WalkLimits = {
  readonly timeMs: number;
  readonly depthMax: number;
  readonly entriesMax: number;
  /** On a clock that never goes back. */
  readonly monotonicMs: () => number;
};

export type WalkRequest = {
  readonly directory: string;
  readonly limits: WalkLimits;
  /** `folder` is relative to the directory, with forward slashes, empty for the directory itself. False ends the walk. */
  readonly onFile: (folder: string, entry: Dirent) => boolean;
  readonly isSkipped: (folder: string, name: string) => boolean;
};

/** Entries seen before other work gets its turn. */
const entriesPerSlice = 4_000;
const entriesPerRead = 1_000;
/** Entries between two looks at the clock. */
const entriesPerGlance = 500;

/**
 * True when everything was seen. Reads folder by folder without waiting, which is several times faster than with, and
 * gives way in between. Links to folders are not followed.
 */
export async function walkFolders({ directory, limits, onFile, isSkipped }: WalkRequest): Promise<boolean> {
  const end = limits.monotonicMs() + limits.timeMs;
  let folders: readonly string[] = [""];
  let entries = 0;
  let sinceTurn = 0;
  for (let depth = 0; folders.length > 0; depth += 1) {
    if (depth > limits.depthMax) return false;
    const deeper: string[] = [];
    for (const folder of folders) {
      for (const entry of entriesOf(folder === "" ? directory : join(directory, folder))) {
        entries += 1;
        sinceTurn += 1;
        if (entries > limits.entriesMax) return false;
        if (entries % entriesPerGlance === 0 && limits.monotonicMs() > end) return false;
        if (entry.isDirectory()) {
          if (!isSkipped(folder, entry.name)) deeper.push(folder === "" ? entry.name : `${folder}/${entry.name}`);
        } else if (!onFile(folder, entry)) return false;
      }
      sinceTurn += 1;
      if (limits.monotonicMs() > end) return false;
      if (sinceTurn < entriesPerSlice) continue;
      sinceTurn = 0;
      await setImmediate();
    }
    folders = deeper;
  }
  return true;
}

/** Piece by piece: a folder with a million names would otherwise take as much memory as all else together. */
function* entriesOf(path: string): Generator<Dirent> {
  let folder: Dir;
  try {
    folder = opendirSync(path, { bufferSize: entriesPerRead });
  } catch (error) {
    if (isUnreadable(error)) return;
    throw error;
  }
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  } finally {
    folder.closeSync();
  }
}

/** It went away, is of another kind, or is closed to us: then there is nothing to see. */
export function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && unreadableCodes.has(code);
}

const unreadableCodes: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
  "ENAMETOOLONG",
  "EINVAL",
  "EIO",
  "EBUSY",
]);
