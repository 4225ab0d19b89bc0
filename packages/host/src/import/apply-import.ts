/** Writes what was planned, all of it after a look that nothing changed since. Files of other agents are never written. */
import { lstatSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Failure, FailureError, reasonOf } from "@kedge/protocol";
import { whileLocked } from "../machine/file-lock.ts";
import type { Home } from "../machine/home.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { hideFromGit, localRulesLock } from "../sessions/saved-rules.ts";
import type { PlannedFile } from "./plan/import-plan.ts";
import { liesOutside } from "./plan/settings-target.ts";

export type Applied = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };

export function applyImport(
  files: readonly PlannedFile[],
  { home, projectRoot }: { readonly home: Home; readonly projectRoot: string },
): Applied {
  try {
    const userLock = join(home.data, "user-settings");
    return whileLocked(userLock, () => whileLocked(localRulesLock(home), () => write(files, projectRoot)));
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    if (error instanceof Error && "code" in error) return refused(`A file cannot be written (${reasonOf(error)})`);
    throw error;
  }
}

function write(files: readonly PlannedFile[], projectRoot: string): Applied {
  const changed = files.find((file) => !isAsPlanned(file) || isMovedOut(file, projectRoot));
  if (changed !== undefined) return refused(`Nothing was imported: ${changed.name} has changed since. Try again`);
  for (const { path, after, before, mode, isLocal } of files) {
    mkdirSync(dirname(path), { recursive: true });
    if (isLocal && before === undefined) hideFromGit(projectRoot, dirname(path));
    replaceFile(path, after, { mode: before === undefined ? mode : statSync(path).mode & 0o777 });
  }
  return { ok: true };
}

/** A folder of the project may have become a link since. */
function isMovedOut({ path }: PlannedFile, projectRoot: string): boolean {
  return path.startsWith(`${projectRoot}/`) && liesOutside(path, projectRoot);
}

function isAsPlanned({ path, before }: PlannedFile): boolean {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return before === undefined ? !isThere : isThere && readFileSync(path).equals(before);
}

function refused(sentence: string): Applied {
  return { ok: false, failure: { code: "configuration", message: `${sentence}.`, retryable: false } };
}
