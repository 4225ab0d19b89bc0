/** Sizes for people. */

const units = ["bytes", "KB", "MB", "GB", "TB"] as const;
const step = 1024;

/** As in `0 bytes`, `12 KB`, `3.4 GB`. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let index = 0;
  while (amount >= step && index < units.length - 1) {
    amount /= step;
    index += 1;
  }
  return `${index > 1 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[index]}`;
}
