/** Keeps the newest files of a search of any size in little memory. */

export type FoundFile = { readonly path: string; readonly modifiedMs: number };

export interface NewestFiles {
  add(path: string, modifiedMs: number): void;
  /** Newest first, each once; `more` says that others were seen besides. */
  result(): { readonly files: readonly FoundFile[]; readonly more: boolean };
  /** How often a file was added. */
  readonly total: number;
}

/** Sorting often costs more than memory for this many. */
const spareMin = 1_000;

export function createNewestFiles(countMax: number): NewestFiles {
  const keptMax = countMax + Math.max(countMax, spareMin);
  let kept: FoundFile[] = [];
  let dropped = false;
  let total = 0;
  let oldestMs = Number.NEGATIVE_INFINITY;

  function compact(): void {
    kept.sort(newerFirst);
    kept = kept.filter((file, index) => file.path !== kept[index - 1]?.path);
    if (kept.length <= countMax) return;
    kept.length = countMax;
    dropped = true;
    oldestMs = kept.at(-1)?.modifiedMs ?? oldestMs;
  }

  return {
    add(path, modifiedMs) {
      total += 1;
      if (modifiedMs < oldestMs) return;
      kept.push({ path, modifiedMs });
      if (kept.length >= keptMax) compact();
    },
    result() {
      compact();
      return { files: kept, more: dropped };
    },
    get total() {
      return total;
    },
  };
}

function newerFirst(left: FoundFile, right: FoundFile): number {
  return right.modifiedMs - left.modifiedMs || (left.path < right.path ? -1 : left.path > right.path ? 1 : 0);
}
