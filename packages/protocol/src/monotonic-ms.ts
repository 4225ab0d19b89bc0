/** A clock that never goes back. Not `performance.now`: whoever asks for that first loads a module, 1 ms of a start. */

/** Milliseconds since some moment in the past. */
export function monotonicMs(): number {
  // Not taken apart by a pattern, which makes an iterator: this is asked a dozen times per turn.
  const time = process.hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}
