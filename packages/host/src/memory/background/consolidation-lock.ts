/** Lets one process at a time tidy up a memory, and knows when that was done last. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { LeaseHolder } from "@kedge/protocol";

export type LockParts = {
  /** Of memory. */
  readonly directory: string;
  /** This process. */
  readonly holder: LockHolder;
  readonly isAlive: (holder: LockHolder) => boolean;
  readonly now: () => number;
};

/** An id can be used again; with the start it names one process. */
export type LockHolder = Pick<LeaseHolder, "pid" | "startedAt">;

interface ConsolidationLock {
  /** Without success the time of the last consolidation stays what it was, so that the next attempt may run. */
  release(options: { readonly isDone: boolean }): void;
}

const heldMsMax = 3_600_000;
const settleMs = 50;

/** Milliseconds since the epoch; 0 where it was never done. A holder that died has done nothing. */
export function lastConsolidated({ directory }: Pick<LockParts, "directory">): number {
  const found = look(lockPath(directory));
  if (found === undefined) return 0;
  return found.holder === undefined ? found.changedAt : found.lastAt;
}

/** Undefined where somebody else is at it. */
export async function acquireLock(parts: LockParts): Promise<ConsolidationLock | undefined> {
  const { directory, holder, isAlive, now } = parts;
  const path = lockPath(directory);
  const found = look(path);
  const isHeld = found?.holder !== undefined && isAlive(found.holder) && now() - found.changedAt < heldMsMax;
  if (isHeld) return undefined;
  const lastAt = lastConsolidated(parts);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${holder.pid} ${lastAt} ${holder.startedAt}`, { mode: 0o600 });
  // Whoever came at the same moment has written by then.
  await wait(settleMs);
  const settled = look(path)?.holder;
  if (settled?.pid !== holder.pid || settled.startedAt !== holder.startedAt) return undefined;
  return {
    release({ isDone }) {
      if (!isDone && lastAt === 0) rmSync(path, { force: true });
      else {
        writeFileSync(path, "");
        const seconds = (isDone ? now() : lastAt) / 1_000;
        utimesSync(path, seconds, seconds);
      }
    },
  };
}

function lockPath(directory: string): string {
  return join(directory, ".store", "consolidation");
}

type Found = { readonly holder: LockHolder | undefined; readonly lastAt: number; readonly changedAt: number };

function look(path: string): Found | undefined {
  if (!existsSync(path)) return undefined;
  const [pid = "", lastAt = "", startedAt = ""] = readFileSync(path, "utf8").split(" ");
  return {
    holder: /^\d+$/.test(pid) ? { pid: Number(pid), startedAt } : undefined,
    lastAt: Number(lastAt) || 0,
    changedAt: statSync(path).mtimeMs,
  };
}
