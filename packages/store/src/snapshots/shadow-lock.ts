/** Lets one process at a time work on a shadow directory; the lock of a dead process is broken. */
import { closeSync, existsSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LeaseHolder } from "@kedge/protocol";
import type { IsAlive } from "../lease.ts";

/** The processes that may share a shadow directory. */
export type Processes = { readonly own: LeaseHolder; readonly isAlive: IsAlive };

export interface ShadowLock {
  /** `undefined` when another live process did not let go in time, or the signal fired. */
  acquire(signal: AbortSignal): Promise<(() => void) | undefined>;
  /** Whether somebody waits for the lock that is held now. */
  isWanted(): boolean;
}

const waitMsMax = 30_000;
const pollMs = 10;

/** Looks at a lock without a holder before it counts as left behind: its maker died between two calls. */
const emptyLooksMax = 50;

/** Short system calls, made in place: a lock costs less than handing it to another thread would. */
export function createShadowLock(directory: string, { own, isAlive }: Processes): ShadowLock {
  const path = join(directory, "lock");
  const wanted = join(directory, "lock-wanted");

  function take(): boolean {
    let file: number;
    try {
      file = openSync(path, "wx", 0o600);
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false;
      throw error;
    }
    writeSync(file, JSON.stringify(own));
    closeSync(file);
    return true;
  }

  /** Only one of several that judged the same lock can move it away; who moved a newer one puts it back. */
  function breakLock(judged: string): void {
    const aside = join(directory, `lock-broken-${own.boot}`);
    try {
      renameSync(path, aside);
      if (readFileSync(aside, "utf8") !== judged) linkSync(aside, path);
    } catch (error) {
      // Somebody else broke it, or has taken it since.
      if (!hasCode(error, "ENOENT") && !hasCode(error, "EEXIST")) throw error;
    }
    rmSync(aside, { force: true });
  }

  return {
    async acquire(signal) {
      let emptyLooks = 0;
      for (let waitedMs = 0; waitedMs < waitMsMax && !signal.aborted; ) {
        if (take()) {
          rmSync(wanted, { force: true });
          return () => rmSync(path, { force: true });
        }
        const content = readIfThere(path);
        if (content === undefined) continue;
        const holder = holderOf(content);
        emptyLooks = holder === undefined ? emptyLooks + 1 : 0;
        if (holder === undefined ? emptyLooks > emptyLooksMax : !isAlive(holder)) {
          breakLock(content);
          continue;
        }
        markWanted(wanted);
        await setTimeout(pollMs);
        waitedMs += pollMs;
      }
      return undefined;
    },
    isWanted: () => existsSync(wanted),
  };
}

function markWanted(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

/** A lock is written by us alone, so what does not parse is one that is only half written. */
function holderOf(content: string): LeaseHolder | undefined {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    if (!("boot" in parsed && "pid" in parsed && "startedAt" in parsed)) return undefined;
    const { boot, pid, startedAt } = parsed;
    if (typeof boot !== "string" || typeof pid !== "number" || typeof startedAt !== "string") return undefined;
    return { boot, pid, startedAt };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
