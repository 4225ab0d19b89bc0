/** The day and the time of day on this machine, as the daily log writes them. */

export type LocalTime = { readonly day: string; readonly time: string };

export function localTime(timeMs: number): LocalTime {
  const date = new Date(timeMs);
  const two = (value: number) => `${value}`.padStart(2, "0");
  return {
    day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}:${two(date.getMinutes())}`,
  };
}
