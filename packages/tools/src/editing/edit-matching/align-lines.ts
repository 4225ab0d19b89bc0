/** Aligns two lists of lines by their longest common subsequence. */

/** For each line on the left the index of its partner on the right, or undefined. Partners never cross. */
export type Alignment = readonly (number | undefined)[];

/** Beyond this many comparisons only equal beginnings and ends are aligned. */
const comparisonsMax = 1_000_000;

export function alignLines(left: readonly string[], right: readonly string[]): Alignment {
  const partners: (number | undefined)[] = new Array(left.length).fill(undefined);
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) {
    partners[start] = start;
    start += 1;
  }
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd -= 1;
    rightEnd -= 1;
    partners[leftEnd] = rightEnd;
  }
  if ((leftEnd - start) * (rightEnd - start) <= comparisonsMax)
    alignMiddle(left.slice(start, leftEnd), right.slice(start, rightEnd), (leftIndex, rightIndex) => {
      partners[start + leftIndex] = start + rightIndex;
    });
  return partners;
}

function alignMiddle(
  left: readonly string[],
  right: readonly string[],
  pair: (leftIndex: number, rightIndex: number) => void,
): void {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        left[row] === right[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      pair(row, column);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
}
