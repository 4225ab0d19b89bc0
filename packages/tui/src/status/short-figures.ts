/** Figures as they stand in small places: `1.2k`, `3 m 12 s`, `$0.0421`. What a server sends as one and is none is empty. */

/** The types say so, but nobody has checked what came over a wire. */
export function isFigure(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

export function countText(exact: number): string {
  if (!isFigure(exact)) return "";
  const count = Math.round(exact);
  if (count < 1_000) return `${count}`;
  if (count < 10_000) return `${(Math.floor(count / 100) / 10).toFixed(1)}k`;
  if (count < 1_000_000) return `${Math.floor(count / 1_000)}k`;
  return `${(Math.floor(count / 100_000) / 10).toFixed(1)}M`;
}

export function durationText(ms: number): string {
  if (!isFigure(ms)) return "";
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** Small amounts keep the digits that say something. */
export function moneyText(usd: number): string {
  if (!isFigure(usd)) return "";
  if (usd === 0) return "$0";
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
