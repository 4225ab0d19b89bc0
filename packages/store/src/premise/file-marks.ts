/** Marks what paths are at a moment, so that a later look tells whether they are still the same. */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { realPathOf } from "./real-path.ts";

export type WantedMark = {
  readonly path: string;
  readonly of: "place" | "directory" | "content" | "script" | "code";
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
    if (of === "code" && !isDirectory(path)) return nothing;
    const place = realPathOf(path);
    if (of === "code") return `${place}\n${codeMark(place)}`;
    if (of === "place") return place + danglingMark(place);
    if (of === "directory") return `${place}\n${directoryMark(place)}`;
    return `${place}\n${contentMark(place)}${danglingMark(place)}`;
  });
}

function isFile(path: string): boolean {
  return unlessUnreadable(() => statSync(path, { throwIfNoEntry: false }))?.isFile() === true;
}

function isDirectory(path: string): boolean {
  return unlessUnreadable(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;
}

const codeFile = /^(?:[^.]+|.+\.(?:[cm]?[jt]s|[jt]sx|json|py|rb|p[lm]|sh|php|lua|so|node|jar))$/;
const codeFilesMax = 2_000;
const codeDepthMax = 2;

/** Size and times stand for the content, since there may be many files. What is installed or hidden is not looked at. */
function codeMark(directory: string): string {
  const hash = createHash("sha256");
  let left = codeFilesMax;
  const look = (folder: string, depth: number): void => {
    const entries = unlessUnreadable(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (left <= 0) return;
      if (entry.name.startsWith(".") || entry.name === "node_modules" || entry.name === "__pycache__") continue;
      const path = join(folder, entry.name);
      left -= 1;
      if (entry.isDirectory() && depth < codeDepthMax) look(path, depth + 1);
      else if (codeFile.test(entry.name)) {
        const stats = unlessUnreadable(() => statSync(path, { throwIfNoEntry: false }));
        if (stats?.isFile() === true) hash.update(`${path}\n${timesOf(stats)}\n`);
      }
    }
  };
  look(directory, 1);
  return hash.digest("hex");
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
