/** Numbers of the engine that variables may change, mostly for trying something out. */

/** In percent of the window; for trying out what happens when a conversation fills it. */
export function thresholdOf(given: string | undefined): { readonly thresholdPercent?: number } {
  const percent = Number(given);
  return percent > 0 && percent <= 100 ? { thresholdPercent: percent } : {};
}

const concurrentCallsDefault = 10;

/** Anything but a positive whole number leaves the default. */
export function concurrentCallsMax(given: string | undefined): number {
  const number = Number(given);
  return Number.isInteger(number) && number > 0 ? number : concurrentCallsDefault;
}
