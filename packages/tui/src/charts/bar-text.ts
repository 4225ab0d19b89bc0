/** A bar of one line: how much of something is used. */
import { visibleWidth } from "../screen/text-width.ts";
import type { ForegroundToken, Theme } from "../theme/theme.ts";
import { shareOf } from "./chart-cells.ts";

/** Whatever is more than nothing has a cell; beyond that, only what is full fills the last one. */
export function barText(share: number, width: number, theme: Theme, tone: ForegroundToken = "accent"): string {
  const { barFull, barEmpty } = theme.symbols;
  const cells = Math.max(0, Math.floor(width / Math.max(1, visibleWidth(barFull), visibleWidth(barEmpty))));
  const part = shareOf(share, 1);
  const wished = Math.round(part * cells);
  const full = part === 1 ? cells : Math.max(part > 0 ? 1 : 0, Math.min(wished, cells - 1));
  const shown = Math.max(0, Math.min(cells, full));
  return theme.fg(tone, barFull.repeat(shown)) + theme.fg("dim", barEmpty.repeat(cells - shown));
}
