/** Reads the forms in which vendors write durations and moments into headers and error bodies. */

const unitMs: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

const duration = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;
const durationPart = /(\d+(?:\.\d+)?)(ms|[smhd])/g;
const wordyDuration = /^(\d+(?:\.\d+)?) ?(second|minute|hour|day)s?$/;
const plainNumber = /^\d+(?:\.\d+)?$/;

/** Numbers from here on are seconds since the epoch, and from the second on milliseconds; smaller ones are a delay. */
const epochSecondsMin = 1_000_000_000;
const epochMsMin = 1_000_000_000_000;

/** `6m0s`, `174ms`, `58.93s`, `45 seconds`. A bare number is no duration: only its place says in which unit it is. */
export function durationMsOf(text: string): number | undefined {
  const written = text.trim().toLowerCase();
  const wordy = wordyDuration.exec(written);
  if (wordy !== null) return Number(wordy[1]) * (unitMs.get(wordy[2]?.charAt(0) ?? "") ?? 0);
  if (!duration.test(written)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of written.matchAll(durationPart))
    totalMs += Number(amount) * (unitMs.get(unit ?? "") ?? 0);
  return Math.ceil(totalMs);
}

/** A moment in milliseconds since the epoch, however it was written: as a date, since the epoch, or as a delay from now. */
export function momentMsOf(text: string, nowMs: number): number | undefined {
  const written = text.trim();
  if (plainNumber.test(written)) return momentOfNumber(Number(written), nowMs);
  const delayMs = durationMsOf(written);
  if (delayMs !== undefined) return nowMs + delayMs;
  const dateMs = Date.parse(written);
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

function momentOfNumber(value: number, nowMs: number): number {
  if (value >= epochMsMin) return value;
  return value >= epochSecondsMin ? value * 1000 : nowMs + value * 1000;
}
