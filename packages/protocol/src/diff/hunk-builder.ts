/** Numbers the lines of a hunk as they come, with their signs. */
import type { DiffHunk, DiffLine } from "./diff-file.ts";

export type HunkHead = { readonly oldStart: number; readonly newStart: number; readonly heading: string };

export interface HunkBuilder {
  /** False for what is no line of a hunk. */
  add(line: string): boolean;
  /** Lines so far. */
  readonly oldCount: number;
  readonly newCount: number;
  hunk(): DiffHunk;
}

export function createHunkBuilder(head: HunkHead): HunkBuilder {
  const lines: DiffLine[] = [];
  let oldCount = 0;
  let newCount = 0;
  return {
    get oldCount() {
      return oldCount;
    },
    get newCount() {
      return newCount;
    },
    add(line) {
      const text = line.slice(1);
      const oldNumber = head.oldStart + oldCount;
      const newNumber = head.newStart + newCount;
      switch (line[0]) {
        case "+":
          lines.push({ kind: "added", text, newNumber });
          newCount++;
          return true;
        case "-":
          lines.push({ kind: "removed", text, oldNumber });
          oldCount++;
          return true;
        // Some programs strip the space of an empty line.
        case undefined:
        case " ":
          lines.push({ kind: "context", text, oldNumber, newNumber });
          oldCount++;
          newCount++;
          return true;
        case "\\": {
          const last = lines.pop();
          if (last !== undefined) lines.push({ ...last, isUnended: true });
          return true;
        }
        default:
          return false;
      }
    },
    hunk: () => ({ ...head, lines }),
  };
}
