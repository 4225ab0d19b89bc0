/** The store of plugins: directories named by their content, made aside and moved into place, removed when nobody uses them. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFor } from "../machine/replace-file.ts";
import { claimedHashes } from "./plugin-claims.ts";
import { type PluginLock, pluginsDirectory, storedDirectory } from "./plugin-lock.ts";
import { hashTree } from "./take-tree.ts";

/** A directory for what is not yet checked; gone with the block that opened it. */
export function openStaging(home: string): { readonly path: string } & Disposable {
  const folder = join(pluginsDirectory(home), "staging");
  clearStaging(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = temporaryFor(join(folder, "plugin"));
  mkdirSync(path, { mode: 0o700 });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const stagingName = /\.(\d+)_[0-9a-f]{12}\.tmp$/;

/** What a killed process left. */
function clearStaging(folder: string): void {
  for (const name of namesIn(folder)) {
    const pid = Number(stagingName.exec(name)?.[1]);
    if (Number.isInteger(pid) && pid > 0 && !isRunning(pid))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Only while the lock file is held: whoever tidies up must not meet a directory that is about to be listed. */
export function moveIntoStore(home: string, taken: string, hash: string): void {
  const target = storedDirectory(home, hash);
  // What was changed there by hand is replaced.
  if (existsSync(target) && hashTree(target) === hash) return;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(pluginsDirectory(home), "store"), { recursive: true, mode: 0o700 });
  renameSync(taken, target);
}

/** Only while the lock file is held. Directories that the lock names, or that a running kedge uses, stay. */
export function removeUnused(home: string, { plugins, marketplaces }: PluginLock): readonly string[] {
  const store = join(pluginsDirectory(home), "store");
  const used = new Set([...plugins, ...marketplaces].map(({ hash }) => hash));
  const names = namesIn(store).filter((name) => !used.has(name));
  if (names.length === 0) return [];
  const claimed = claimedHashes(home);
  const removed = names.filter((name) => !claimed.has(name));
  for (const name of removed) rmSync(join(store, name), { recursive: true, force: true });
  return removed;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
