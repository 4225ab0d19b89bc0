/** Lists the files that belong in the index: what the ignore files leave, without secrets and without large files. */
import type { ReadRights } from "@kedge/protocol";
import { isHidden, lookAt } from "../searching/file-search.ts";
import { type RipgrepEnd, type RipgrepParts, runRipgrep, scopeArguments } from "../searching/ripgrep.ts";
import type { FileStamp } from "./file-rows.ts";
import { leftOutNames } from "./left-out-names.ts";

export type ListedFiles = {
  readonly end: RipgrepEnd;
  readonly files: ReadonlyMap<string, FileStamp>;
  /** How many may not be read by whoever asks. */
  readonly leftOut: number;
};

export type FileListing = {
  readonly root: string;
  readonly isSecret: (path: string) => boolean;
  readonly reading: ReadRights;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

const fileBytesMax = 1_024 * 1_024;

/** By their paths below the root. Links are not followed, so nothing from outside comes in. */
export async function listFiles(parts: RipgrepParts, listing: FileListing): Promise<ListedFiles> {
  const { root, isSecret, reading, timeoutMs, signal } = listing;
  const mayShow = reading.below(root);
  let leftOut = 0;
  const files = new Map<string, FileStamp>();
  const prefixLength = root.endsWith("/") ? root.length : root.length + 1;
  const end = await runRipgrep(parts, {
    arguments: [
      ...scopeArguments({ hidden: true, gitignore: true, gitDirectory: false }),
      "--files",
      "--null",
      ...leftOutNames.map((pattern) => `--glob=!${pattern}`),
    ],
    roots: [root],
    cwd: root,
    signal,
    timeoutMs,
    separator: "\0",
    onRecord: (path) => {
      const stats = mayShow(path) && !isSecret(path) ? lookAt(path) : "hidden";
      if (stats === undefined) return "more";
      if (stats === "hidden" || isHidden(path, stats, reading)) leftOut += 1;
      else if (stats.isFile() && stats.size > 0 && stats.size <= fileBytesMax)
        files.set(path.slice(prefixLength), {
          modifiedMs: stats.mtimeMs,
          changedMs: stats.ctimeMs,
          sizeBytes: stats.size,
        });
      return "more";
    },
  });
  return { end, files, leftOut };
}
