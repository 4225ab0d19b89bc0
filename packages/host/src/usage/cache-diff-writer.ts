/** Keeps the differences of prompts that lost a vendor's cache, in a folder only their owner can read. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { replaceFileInPieces } from "../machine/replace-file.ts";

/** The newest are kept: a prompt that changes with every call would otherwise fill the disk. */
const filesMax = 50;
const suffix = ".diff";

/**
 * Returns the path of the file, or nothing when the disk refuses: a lost cache is reported all the same.
 * `now` goes into the name, so that names sort by time.
 */
export function createCacheDiffWriter(
  directory: string,
  now: () => number,
): (name: string, text: string) => Promise<string | undefined> {
  return async (name, text) => {
    const path = join(directory, `${new Date(now()).toISOString().replaceAll(/[:.]/g, "-")}-${basename(name)}`);
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await replaceFileInPieces(path, [text]);
      const old = (await readdir(directory)).filter((file) => file.endsWith(suffix)).sort();
      for (const file of old.slice(0, -filesMax)) await rm(join(directory, file), { force: true });
      return path;
    } catch (error) {
      if (error instanceof Error && "code" in error) return undefined;
      throw error;
    }
  };
}
