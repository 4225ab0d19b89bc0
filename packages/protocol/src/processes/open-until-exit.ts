/** Keeps our end of a terminal open until its program has ended, so that the program is never hung up on. */
import type { PtyProcess } from "../contracts/pty-library.ts";

const firstLookMs = 1;
const lookMsMax = 100;

/**
 * A program may close its end before it exits, as `touch` and many others do. The library then reads EIO and closes our
 * end, the kernel sends SIGHUP, and a program that was about to exit with 0 is reported as killed by a signal.
 */
export function openUntilExit<Pty extends PtyProcess>(pty: Pty): Pty {
  const socket = pty._socket;
  const destroy = socket.destroy.bind(socket);
  let lookMs = firstLookMs;
  function look(error: Error): void {
    if (!isThere(pty.pid)) return void destroy(error);
    setTimeout(look, lookMs, error);
    lookMs = Math.min(lookMsMax, 2 * lookMs);
  }
  // All output has been read by then. What is destroyed without an error is destroyed on purpose.
  socket.destroy = (error) => {
    if (error !== undefined && "code" in error && error.code === "EIO") look(error);
    else destroy(error);
    return socket;
  };
  return pty;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // Gone, or a number that by now belongs to somebody else.
    return false;
  }
}
