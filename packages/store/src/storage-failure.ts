/** Turns errors of SQLite and of the file system into the one failure value; everything else is a bug and passes. */
import { type Failure, FailureError } from "@kedge/protocol";

type Trouble = "full" | "read-only" | "busy" | "damaged" | "unopenable" | "device";

/** Primary SQLite result codes. Codes that are not listed mean a mistake in our own statements. */
const troubleOfSqlite: ReadonlyMap<number, Trouble> = new Map([
  [3, "read-only"],
  [5, "busy"],
  [6, "busy"],
  [8, "read-only"],
  [10, "device"],
  [11, "damaged"],
  [13, "full"],
  [14, "unopenable"],
  [23, "read-only"],
  [26, "damaged"],
]);

const troubleOfSystem: ReadonlyMap<string, Trouble> = new Map([
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EACCES", "read-only"],
  ["EPERM", "read-only"],
  ["EROFS", "read-only"],
]);

/** Extended result codes keep the primary one in their lowest byte. */
const primaryCodeMask = 0xff;

/** Gives back the error that should be thrown: a FailureError for trouble from outside, the same error for a bug. */
export function storageError(error: unknown, path: string): unknown {
  if (error instanceof FailureError) return error;
  const trouble = troubleOf(error);
  return trouble === undefined ? error : new FailureError(storageFailure(trouble, path), error);
}

/** Another connection is in the way, and will not be for long. */
export function isBusy(error: unknown): boolean {
  return troubleOf(error) === "busy";
}

function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") {
    return troubleOfSqlite.get(error.errcode & primaryCodeMask);
  }
  if ("syscall" in error && "code" in error && typeof error.code === "string") {
    return troubleOfSystem.get(error.code) ?? "unopenable";
  }
  return undefined;
}

function storageFailure(trouble: Trouble, path: string): Failure {
  switch (trouble) {
    case "full":
      return failure(`The disk is full: ${path} cannot grow.`, "Free some space and try again.");
    case "read-only":
      return failure(
        `${path} cannot be written.`,
        "Make it and its directory writable, or set KEDGE_HOME to another directory.",
      );
    case "busy":
      return {
        ...failure(`${path} is locked by another process.`, "Try again, or close the other kedge process."),
        retryable: true,
      };
    case "damaged":
      return failure(`${path} is damaged.`, "Restore it from a backup, or move it to start over.");
    case "unopenable":
      return failure(
        `${path} cannot be opened.`,
        "Check that its directory exists, or set KEDGE_HOME to another directory.",
      );
    case "device":
      return failure(`The disk reported an error while using ${path}.`, "Check the disk and try again.");
  }
}

export function failure(message: string, recovery: string): Failure {
  return { code: "storage", message, recovery, retryable: false };
}
