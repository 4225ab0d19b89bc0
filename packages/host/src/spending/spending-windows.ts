/** Days and months of spending limits, in local time. Pure. */

export type SpendingWindow = {
  readonly name: "day" | "month";
  /** The first day of the window, such as `2026-11-18`. */
  readonly from: string;
  /** When the next window begins, in milliseconds since the epoch. */
  readonly resetsAt: number;
};

export function dayWindow(now: number): SpendingWindow {
  const today = new Date(now);
  const next = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
  return { name: "day", from: dayName(today), resetsAt: next.getTime() };
}

/** From the last `monthStart` up to the next one; the day exists in every month. */
export function monthWindow(now: number, monthStart: number): SpendingWindow {
  const today = new Date(now);
  const month = today.getMonth() - (today.getDate() < monthStart ? 1 : 0);
  const from = new Date(today.getFullYear(), month, monthStart);
  const next = new Date(today.getFullYear(), month + 1, monthStart);
  return { name: "month", from: dayName(from), resetsAt: next.getTime() };
}

function dayName(day: Date): string {
  return [day.getFullYear(), twoDigits(day.getMonth() + 1), twoDigits(day.getDate())].join("-");
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
