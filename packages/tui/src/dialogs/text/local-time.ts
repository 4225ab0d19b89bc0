/** Times as the clock of the user shows them. */

/** In the time of the user: the clock for today, the day for everything older. */
export function localTimeText(time: number, now: number): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === new Date(now).toDateString()) return clock;
  const day = `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return at.getFullYear() === new Date(now).getFullYear() ? `${day} ${clock}` : `${at.getFullYear()}-${day}`;
}
