/** Lists the files that belong in the index: what the ignore files leave, without secrets and without large files. */
import { statSync } from "node:fs";
import { isFileError } from "../file-error.ts";
import { type RipgrepEnd, type RipgrepParts, runRipgrep, scopeArguments } from "../searching/ripgrep.ts";
import type { FileStamp } from "./index-rows.ts";
import { leftOutNames } from "./left-out-names.ts";

export type ListedFiles = { readonly end: RipgrepEnd; readonly files: ReadonlyMap<string, FileStamp> };

export type FileListing = {
  readonly root: string;
  readonly isSecret: (path: string) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

export const fileBytesMax = 1_024 * 1_024;

/** By their paths below the root. Links are not followed, so nothing from outside comes in. */
export async function listFiles(parts: RipgrepParts, listing: FileListing): Promise<ListedFiles> {
  const { root, isSecret, timeoutMs, signal } = listing;
  const files = new Map<string, FileStamp>();
  const prefixLength = root.endsWith("/") ? root.length : root.length + 1;
  const end = await runRipgrep(parts, {
    arguments: [
      ...scopeArguments({ hidden: true, gitignore: true, gitDirectory: false }),
      "--files",
      "--null",
      ...leftOutNames.map((pattern) => `--glob=!${pattern}`),
      "--",
      root,
    ],
    cwd: root,
    signal,
    timeoutMs,
    separator: "\0",
    onRecord: (path) => {
      if (isSecret(path)) return "more";
      const stamp = stampOf(path);
      if (stamp !== undefined && stamp.sizeBytes > 0 && stamp.sizeBytes <= fileBytesMax)
        files.set(path.slice(prefixLength), stamp);
      return "more";
    },
  });
  return { end, files };
}

function stampOf(path: string): FileStamp | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && { modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs, sizeBytes: stats.size };
  } catch (error) {
    // Out of reach since it was listed, hence nothing to show.
    if (isFileError(error, "EACCES", "EPERM", "ELOOP", "ENOTDIR", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}
