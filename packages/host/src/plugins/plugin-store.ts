/** The store of plugins: directories named by their content, made aside and moved into place, removed when nobody uses them. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { isAlive, thisMachine, thisProcess } from "../machine/identity.ts";
import { temporaryFor } from "../machine/replace-file.ts";
import { type PluginLock, pluginsDirectory, readLock, storedDirectory } from "./plugin-lock.ts";

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
  if (existsSync(target)) return;
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

export type Claim = {
  /** Hashes that were replaced while they were being claimed, and may be removed at any time. */
  readonly lost: readonly string[];
  release(): void;
};

/**
 * Says that this process uses these directories, so that they stay until it ends. The lock is read again afterwards:
 * whoever tidies up changes the lock first and looks for claims then, so one of the two sees the other.
 */
export function claimStored(home: string, hashes: readonly string[]): Claim {
  const folder = usesDirectory(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { pid, startedAt } = thisProcess();
  const path = join(folder, `${pid}-${randomBytes(4).toString("hex")}.json`);
  writeFileSync(path, JSON.stringify({ machine: thisMachine(), pid, startedAt, hashes }), { mode: 0o600 });
  const read = readLock(home);
  const named = new Set(read.ok ? read.lock.plugins.map(({ hash }) => hash) : []);
  return { lost: hashes.filter((hash) => !named.has(hash)), release: () => rmSync(path, { force: true }) };
}

function usesDirectory(home: string): string {
  return join(pluginsDirectory(home), "uses");
}

/** Forgets those of processes that are gone. */
function claimedHashes(home: string): ReadonlySet<string> {
  const folder = usesDirectory(home);
  const hashes = new Set<string>();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const claim = claimIn(path);
    if (claim?.isOver) rmSync(path, { force: true });
    else for (const hash of claim?.hashes ?? []) hashes.add(hash);
  }
  return hashes;
}

/** Of another machine that shares this home nobody here can tell which processes live, so its claims hold. */
function claimIn(path: string): { readonly isOver: boolean; readonly hashes: readonly string[] } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(value)) return { isOver: true, hashes: [] };
    const { machine, pid, startedAt, hashes } = value;
    const isOver = machine === thisMachine() && !isAlive({ boot: "", pid: Number(pid), startedAt: String(startedAt) });
    return { isOver, hashes: Array.isArray(hashes) ? hashes.map(String) : [] };
  } catch (error) {
    // Released in this moment, or written half by a process that died; that one uses nothing any more.
    if (error instanceof SyntaxError)
      return { isOver: !isRunning(Number.parseInt(path.replace(/^.*\//, ""), 10)), hashes: [] };
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
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
