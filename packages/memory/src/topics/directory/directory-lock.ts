/** Lets one process at a time change a memory directory. */
import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { FailureError } from "@kedge/protocol";

/** Whoever holds it writes a few small files. */
const waitMsMax = 20_000;
const pauseMs = 10;

/** SQLite's number for a lock that somebody else holds. */
const busy = 5;

/**
 * Runs the work while no other process is inside. A lock of SQLite, because the system takes it back from a process
 * that dies, without anybody having to guess whether it did. Waits without holding up others, and not for ever: throws
 * a FailureError when nobody lets go in time. The work does not wait for anything.
 */
export async function whileLocked<Result>(path: string, work: () => Result): Promise<Result> {
  // Closing any handle of a file takes away the locks this process has on it, so one is opened only to make it.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    for (let waitedMs = 0; !take(lock); waitedMs += pauseMs) {
      if (waitedMs >= waitMsMax) throw busyFailure();
      await wait(pauseMs);
    }
    return work();
  } finally {
    lock.close();
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === busy) return false;
    throw error;
  }
}

function busyFailure(): FailureError {
  return new FailureError({
    code: "storage",
    message: "Memory is locked by another kedge process.",
    recovery: "Try again. If it stays locked, stop the other process.",
    retryable: true,
  });
}
