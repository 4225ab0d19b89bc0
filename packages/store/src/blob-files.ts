/** Files that hold what is too large for the database: written whole or not at all, readable by the owner only. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { RandomBytes } from "./chain.ts";
import { storageError } from "./storage-failure.ts";

export type BlobFiles = {
  write(name: string, bytes: Uint8Array): void;
  read(name: string): Buffer | undefined;
  /** The same a piece at a time, each in the place of the one before; ends at once for a file that is not there. */
  pieces(name: string): Iterable<Buffer>;
  remove(name: string): void;
  /** Zero for a file that is not there. */
  size(name: string): number;
  /** Remembers that it was stored again; false when there is no such file. */
  touch(name: string, timeMs: number): boolean;
  /** When it was last stored, in milliseconds since the epoch. */
  storedAt(name: string): number;
  /** All files that were written whole. */
  list(): readonly { readonly name: string; readonly bytes: number }[];
};

const pieceBytes = 1024 * 1024;

/** Anything else was not written by us and might lead out of the folder. */
const nameShape = /^[0-9a-f]{64}(\.payload)?$/;

/** Names begin with a digest; its first two characters choose the folder. */
export function blobFiles(directory: string, randomBytes: RandomBytes): BlobFiles {
  const pathOf = (name: string) => join(directory, name.slice(0, 2), name);
  const size = (name: string) => statSync(pathOf(name), { throwIfNoEntry: false })?.size ?? 0;
  return {
    write(name, bytes) {
      const path = pathOf(name);
      if (existsSync(path)) return;
      const folder = dirname(path);
      // Beside the folders, so that what a killed process left is found by one look; its id tells that it is dead.
      const mark = `${process.pid}_${Buffer.from(randomBytes(8)).toString("hex")}`;
      const temporary = join(directory, `${name}.${mark}.tmp`);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeSynced(temporary, bytes);
        renameSync(temporary, path);
        syncFolder(folder);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw storageError(error, path);
      }
    },

    read(name) {
      if (!nameShape.test(name)) return undefined;
      try {
        return readFileSync(pathOf(name));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw storageError(error, pathOf(name));
      }
    },

    *pieces(name) {
      if (!nameShape.test(name) || !existsSync(pathOf(name))) return;
      const file = openSync(pathOf(name), "r");
      try {
        const place = Buffer.allocUnsafeSlow(pieceBytes);
        for (let count = readSync(file, place); count > 0; count = readSync(file, place))
          yield place.subarray(0, count);
      } finally {
        closeSync(file);
      }
    },

    remove(name) {
      rmSync(pathOf(name), { force: true });
    },

    size,

    touch(name, timeMs) {
      if (!existsSync(pathOf(name))) return false;
      utimesSync(pathOf(name), timeMs / 1000, timeMs / 1000);
      return true;
    },

    storedAt: (name) => statSync(pathOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0,

    list() {
      if (!existsSync(directory)) return [];
      return readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && nameShape.test(entry.name))
        .map(({ name }) => ({ name, bytes: size(name) }));
    },
  };
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename survives a power cut only once its folder is on the disk. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
