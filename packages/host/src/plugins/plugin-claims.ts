/** Which directories of the store running processes use: one file for each process, forgotten when it is gone. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { isAlive, thisMachine, thisProcess } from "../machine/identity.ts";
import { pluginsDirectory, readLock } from "./plugin-lock.ts";

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
export function claimedHashes(home: string): ReadonlySet<string> {
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
    // Released in this moment, or not yet written: whoever writes it reads the list afterwards.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
