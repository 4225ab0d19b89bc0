/** Replaces a file in one step, so that a reader or a crash sees either the old content or the new, never a part. */
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashContent } from "../file-content.ts";
import { isFileError } from "../file-error.ts";

/** `writeId` tells the temporary files of different calls apart. The path must be free of symbolic links. */
export async function writeAtomically(path: string, content: string, writeId: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `.kedge-${process.pid}-${hashContent(writeId).slice(0, 16)}.tmp`);
  const file = await open(temporary, "wx");
  try {
    try {
      await copyOwnership(path, file);
      await file.writeFile(content, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function copyOwnership(path: string, file: FileHandle): Promise<void> {
  const present = await statOrMissing(path);
  if (present === undefined) return;
  const created = await file.stat();
  if (present.uid !== created.uid || present.gid !== created.gid) {
    try {
      await file.chown(present.uid, present.gid);
    } catch (error) {
      // Only a privileged user may give files away; for all others the content matters more than the owner.
      if (!isFileError(error, "EPERM")) throw error;
    }
  }
  // After chown, which clears the set-id bits.
  await file.chmod(present.mode & 0o7777);
}

async function statOrMissing(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isFileError(error, "ENOENT")) return undefined;
    throw error;
  }
}
