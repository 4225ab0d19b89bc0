/** Changes the list of plugins: one process at a time, as a whole, and what nobody names or uses any more goes with it. */
import { mkdirSync } from "node:fs";
import { whileLocked } from "../machine/file-lock.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { lockPath, type PluginLock, pluginsDirectory, wholeLock } from "./plugin-lock.ts";
import { removeUnused } from "./plugin-store.ts";

/** Throws a FailureError where the list is damaged. A process that dies in between leaves the old list or the new one. */
export function changeLock<Result>(
  home: string,
  change: (lock: PluginLock) => { readonly lock: PluginLock; readonly result: Result },
): Result {
  mkdirSync(pluginsDirectory(home), { recursive: true, mode: 0o700 });
  const path = lockPath(home);
  return whileLocked(path, () => {
    const before = wholeLock(home);
    const { lock, result } = change(before);
    if (lock !== before) replaceFile(path, `${JSON.stringify(lock)}\n`);
    // Behind the change: whoever claims a directory reads the list afterwards, and one of the two sees the other.
    removeUnused(home, lock);
    return result;
  });
}
