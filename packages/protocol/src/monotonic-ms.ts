/** A clock that never goes back. Not `performance.now`: whoever asks for that first loads a module, 1 ms of a start. */

/** Milliseconds since some moment in the past. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
