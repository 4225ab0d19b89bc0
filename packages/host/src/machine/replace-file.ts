/** Writes files of kedge's own so that a reader, a crash or a power cut meets the old text or the new one, never a part. */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

const ownerOnly = 0o600;

export type ReplaceOptions = {
  /** Only its owner may read and write it without this. */
  readonly mode?: number;
};

/** Throws what the file system throws, and then leaves nothing half-written behind. The folder must be there. */
export function replaceFile(path: string, text: string | Uint8Array, { mode = ownerOnly }: ReplaceOptions = {}): void {
  const temporary = temporaryFor(path);
  try {
    writeFileSync(temporary, text, { flag: "wx", mode, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** The same for a text that is made while it is written, and without holding up anybody. */
export async function replaceFileInPieces(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  { mode = ownerOnly }: ReplaceOptions = {},
): Promise<void> {
  const temporary = temporaryFor(path);
  try {
    const file = await open(temporary, "wx", mode);
    try {
      for await (const piece of pieces) await file.appendFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * Not the process id alone: two threads, or a file left by a dead process, would meet in the same name. With it, so that
 * whoever comes later knows that the process is dead (`leftovers.ts`).
 */
export function temporaryFor(path: string, random: Uint8Array = randomBytes(6)): string {
  return `${path}.${process.pid}_${Buffer.from(random).toString("hex")}.tmp`;
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
