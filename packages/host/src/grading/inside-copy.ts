/** Paths in a throw-away copy that kedge itself writes: a link must not carry what it writes out of the copy. */
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** The file that a path in the copy means; undefined where it is not there, or a link leads out of the copy. */
export function fileInside(directory: string, path: string): string | undefined {
  const place = realpathSync.native(directory);
  try {
    const real = realpathSync.native(join(directory, path));
    return real.startsWith(place + sep) ? real : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "ELOOP"].includes(String(error.code)))
      return undefined;
    throw error;
  }
}

/** Whether a file can be made there, or replaced, without following any link. */
export function isPlainPlace(directory: string, path: string): boolean {
  for (let part = path; part !== "." && part !== ""; part = dirname(part))
    if (lstatSync(join(directory, part), { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  return true;
}
