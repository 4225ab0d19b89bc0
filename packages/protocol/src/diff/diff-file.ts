/** What a diff is here, whoever made it: files, hunks, and lines with their numbers on both sides. */

export type DiffLine = {
  readonly kind: "context" | "added" | "removed";
  /** As it stood in the file, without its line feed. */
  readonly text: string;
  /** Undefined where the line is not in the old file. */
  readonly oldNumber?: number;
  readonly newNumber?: number;
  /** The file ends with this line and without a line feed. */
  readonly isUnended?: boolean;
};

export type DiffHunk = {
  readonly oldStart: number;
  readonly newStart: number;
  /** What stands behind the second `@@`, mostly the function around it. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
};

export type DiffFile = {
  /** Undefined for a file that was not there, or where no path is known. */
  readonly oldPath?: string;
  readonly newPath?: string;
  /** For files whose content cannot be shown as lines. */
  readonly isBinary: boolean;
  readonly hunks: readonly DiffHunk[];
};

export type DiffCounts = { readonly added: number; readonly removed: number };

export function diffCounts(files: readonly DiffFile[]): DiffCounts {
  let added = 0;
  let removed = 0;
  for (const { hunks } of files) {
    for (const { lines } of hunks) {
      for (const { kind } of lines) {
        if (kind === "added") added++;
        else if (kind === "removed") removed++;
      }
    }
  }
  return { added, removed };
}
