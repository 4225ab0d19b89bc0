/** Files that only their owner can read, whatever the umask says, and that are written as a whole or not at all. */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const directoryMode = 0o700;
const fileMode = 0o600;

/** One folder after the other, because the umask would keep a missing parent from being entered. */
export function makePrivateDirectory(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(path) !== path) makePrivateDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: directoryMode });
  } catch (error) {
    // Another process was faster.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw error;
  }
  chmodSync(path, directoryMode);
}

/**
 * Throws what the file system throws, and then leaves nothing half-written behind. The folder must be there, and is on
 * the disk only after `syncDirectory`.
 */
export function replacePrivateFile(path: string, text: string, token: string): void {
  const temporary = join(dirname(path), `.${token}.tmp`);
  try {
    const file = openSync(temporary, "wx", fileMode);
    try {
      fchmodSync(file, fileMode);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A rename survives a power cut only once its folder is on the disk. */
export function syncDirectory(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
