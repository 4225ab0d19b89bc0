/** Lets one process at a time read a file of kedge's own, change it and write it back. */
import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as later } from "node:timers/promises";
import { FailureError } from "@kedge/protocol";

/** Whoever holds it only writes a small file. */
const waitMsMax = 10_000;

/** SQLite's number for a lock that somebody else holds. */
const busy = 5;

/**
 * Runs the work while no other process is inside for the same path. A lock of SQLite, because the system takes it back
 * from a process that dies. Its file stays: whoever waits for a removed one would wait beside those who made it again.
 * Not to be used for the same path inside of the work. Throws a FailureError when nobody lets go in time.
 */
export function whileLocked<Result>(path: string, work: () => Result): Result {
  const lock = openLock(path, waitMsMax);
  try {
    take(lock, path);
    return work();
  } finally {
    lock.close();
  }
}

/** How often somebody looks again who must not hold up the process. */
const lookMsDefault = 50;
/** Whoever holds it may wait for a network. */
const heldMsMax = 60_000;

export type HeldOptions = { readonly lookMs?: number; readonly waitMsMax?: number };

/** The same for work that takes time: nothing else of this process waits. */
export async function whileHeld<Result>(
  path: string,
  work: () => Promise<Result>,
  { lookMs = lookMsDefault, waitMsMax: longest = heldMsMax }: HeldOptions = {},
): Promise<Result> {
  const lock = openLock(path, 0);
  try {
    for (let waitedMs = 0; !isTaken(lock); waitedMs += lookMs) {
      if (waitedMs >= longest) take(lock, path);
      await later(lookMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function openLock(path: string, timeout: number): DatabaseSync {
  const lockPath = `${path}.lock`;
  // Closing any handle of a file takes away the locks this process has on it, so one is opened only to make it.
  if (!existsSync(lockPath)) closeSync(openSync(lockPath, "a", 0o600));
  return new DatabaseSync(lockPath, { timeout });
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === busy;
}

function take(lock: DatabaseSync, path: string): void {
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    if (!isBusy(error)) throw error;
    const message = `${path} is locked by another kedge process.`;
    const recovery = "Try again. If it stays locked, stop the other process.";
    throw new FailureError({ code: "storage", message, recovery, retryable: true }, error);
  }
}
