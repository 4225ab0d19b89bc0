/** Marks what paths are at a moment, so that a later look tells whether they are still the same. */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { realPathOf } from "./real-path.ts";

export type WantedMark = {
  readonly path: string;
  readonly of: "place" | "directory" | "content" | "script";
};

export type MarkLimits = { readonly hashedBytesMax: number; readonly hashedBytesTotalMax: number };

const nothing = "nothing";

/** One for each path, in their order. What cannot be read counts as absent. */
export function markFiles(wanted: readonly WantedMark[], limits: MarkLimits): readonly string[] {
  let bytesLeft = limits.hashedBytesTotalMax;

  /** Opened without waiting, so that a pipe in the place of a file holds up nobody. */
  function contentMark(path: string): string {
    const opened = unlessUnreadable(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    if (opened === undefined) return nothing;
    try {
      const stats = fstatSync(opened);
      if (!stats.isFile()) return nothing;
      if (stats.size > Math.min(limits.hashedBytesMax, bytesLeft)) return timesOf(stats);
      bytesLeft -= stats.size;
      return unlessUnreadable(() => hashOf(opened, limits.hashedBytesMax)) ?? timesOf(stats);
    } finally {
      closeSync(opened);
    }
  }

  return wanted.map(({ path, of }) => {
    // Most words of a command name no file, and following links takes much longer.
    if (of === "script" && !isFile(path)) return nothing;
    const place = realPathOf(path);
    if (of === "place") return place + danglingMark(place);
    if (of === "directory") return `${place}\n${directoryMark(place)}`;
    return `${place}\n${contentMark(place)}${danglingMark(place)}`;
  });
}

function isFile(path: string): boolean {
  return unlessUnreadable(() => statSync(path, { throwIfNoEntry: false }))?.isFile() === true;
}

/** Something may be written through a link that leads nowhere yet. */
function danglingMark(path: string): string {
  const isLink = unlessUnreadable(() => lstatSync(path).isSymbolicLink());
  return isLink === true ? ` -> ${unlessUnreadable(() => readlinkSync(path)) ?? nothing}` : "";
}

function directoryMark(path: string): string {
  const stats = unlessUnreadable(() => statSync(path));
  return stats?.isDirectory() === true ? `${stats.dev} ${stats.ino}` : nothing;
}

/** Stands for the content of a file that is too large to be read while somebody waits. */
function timesOf({ size, mtimeMs, ctimeMs, dev, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${dev} ${ino}`;
}

const chunkBytes = 64 * 1024;

/** Undefined when the file grew beyond the limit meanwhile. */
function hashOf(opened: number, bytesMax: number): string | undefined {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let total = 0; total <= bytesMax; ) {
    const length = readSync(opened, chunk, 0, chunkBytes, null);
    if (length === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, length));
    total += length;
  }
  return undefined;
}

/** Devices refuse in ways of their own; whatever the system says, there is nothing that could be read. */
function unlessUnreadable<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}
