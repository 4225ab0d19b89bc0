/** Whether a database is still the file that was opened: one that was deleted or moved takes writes that nobody finds again. */
import { statSync } from "node:fs";
import { FailureError } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";

/** Made when the database is open; what it gives throws once the path leads elsewhere. A look takes 3 µs. */
export function createFileCheck(path: string): () => void {
  const opened = identityOf(path);
  return () => {
    if (opened !== undefined && identityOf(path) !== opened) throw new FailureError(gone(path));
  };
}

/** Undefined for a database that is no file, and for a file that is not there. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

function gone(path: string) {
  return failure(
    `${path} was deleted or moved while kedge was running. Nothing can be stored.`,
    "Restore it if you can, and restart kedge.",
  );
}
