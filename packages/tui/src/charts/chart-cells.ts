/** The cells that charts are made of: eighths of a block where the terminal has them, whole cells of plain letters elsewhere. */
import type { Symbols } from "../theme/theme.ts";

const eighths: readonly string[] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/** Plain letters from light to dark. */
const shades: readonly string[] = [" ", ".", ":", "-", "=", "+", "*", "#"];

/** From empty to full. */
export function cellsOf(symbols: Symbols): readonly string[] {
  return isPlain(symbols) ? shades : eighths;
}

/** The set for terminals without blocks has a bar of plain letters. */
export function isPlain({ barFull }: Symbols): boolean {
  return /^[\u0020-\u007e]*$/.test(barFull);
}

/** 0 to 1, whatever came in. */
export function shareOf(value: number, max: number): number {
  const share = max > 0 ? value / max : 0;
  return Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : 0;
}
