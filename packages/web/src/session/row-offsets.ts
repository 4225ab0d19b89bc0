/** Where the rows of a long list begin: measured heights where a row was drawn once, and their average for the others. */

export type RowOffsets = {
  /** Where each row begins; one more than rows, the last is the height of all. */
  readonly starts: Float64Array;
  readonly totalPx: number;
  /** The row that contains a height, the first or last one for what lies outside. */
  rowAt(px: number): number;
};

const estimatedPx = 120;

export function rowOffsets(keys: readonly string[], heights: ReadonlyMap<string, number>): RowOffsets {
  const usual = averageOf(heights);
  const starts = new Float64Array(keys.length + 1);
  for (const [index, key] of keys.entries()) starts[index + 1] = (starts[index] ?? 0) + (heights.get(key) ?? usual);
  return {
    starts,
    totalPx: starts[keys.length] ?? 0,
    rowAt(px) {
      let low = 0;
      let high = keys.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= px) low = middle;
        else high = middle - 1;
      }
      return Math.max(0, low);
    },
  };
}

function averageOf(heights: ReadonlyMap<string, number>): number {
  if (heights.size === 0) return estimatedPx;
  let sum = 0;
  for (const height of heights.values()) sum += height;
  return sum / heights.size;
}
