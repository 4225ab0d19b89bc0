/** Values over time in one line of as many cells. */
import type { Symbols } from "../theme/theme.ts";
import { cellsOf, shareOf } from "./chart-cells.ts";

/** Whatever is more than nothing is seen. */
export function sparkline(values: readonly number[], symbols: Symbols): string {
  const cells = cellsOf(symbols);
  const max = Math.max(0, ...values);
  return values
    .map((value) => {
      const share = shareOf(value, max);
      return cells[share === 0 ? 0 : Math.max(1, Math.round(share * (cells.length - 1)))] ?? "";
    })
    .join("");
}
