/** Lets one process at a time read a file of kedge's own, change it and write it back. */
import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { FailureError } from "@kedge/protocol";

/** Whoever holds it only writes a small file. */
const waitMsMax = 10_000;

/** Whoever holds it for long waits for a vendor. */
const longWaitMsMax = 30_000;

/** SQLite's number for a lock that somebody else holds. */
const busy = 5;

/**
 * Runs the work while no other process is inside for the same path. A lock of SQLite, because the system takes it back
 * from a process that dies. Its file stays: whoever waits for a removed one would wait beside those who made it anew.
 * Not to be used for the same path inside of the work. Throws a FailureError when nobody lets go in time.
 */
export function whileLocked<Result>(path: string, work: () => Result): Result {
  const lockPath = `${path}.lock`;
  // Closing any handle of a file takes away the locks this process has on it, so one is opened only to make it.
  if (!existsSync(lockPath)) closeSync(openSync(lockPath, "a", 0o600));
  const lock = new DatabaseSync(lockPath, { timeout: waitMsMax });
  try {
    take(lock, path);
    return work();
  } finally {
    lock.close();
  }
}

/** How often it is looked whether another one has let go. */
const lookAgainMs = 100;

/** The same for work that waits for somebody else, which does not hold up this thread. */
export async function whileLockedLong<Result>(
  path: string,
  work: () => Promise<Result>,
  wait: (ms: number) => Promise<void>,
): Promise<Result> {
  const lockPath = `${path}.lock`;
  if (!existsSync(lockPath)) closeSync(openSync(lockPath, "a", 0o600));
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    for (let waitedMs = 0; !isTaken(lock, path, { isLast: waitedMs >= longWaitMsMax }); waitedMs += lookAgainMs) {
      await wait(lookAgainMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** False while somebody else has it, unless nobody will wait any longer. */
function isTaken(lock: DatabaseSync, path: string, { isLast }: { readonly isLast: boolean }): boolean {
  try {
    take(lock, path);
    return true;
  } catch (error) {
    if (isLast || !(error instanceof FailureError)) throw error;
    return false;
  }
}

function take(lock: DatabaseSync, path: string): void {
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error && error.errcode === busy)) throw error;
    const message = `${path} is being changed by another kedge, which did not finish in time.`;
    const recovery = "Try again; if it stays so, end the other one.";
    throw new FailureError({ code: "storage", message, recovery, retryable: true }, error);
  }
}
