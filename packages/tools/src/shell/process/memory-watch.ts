/**
 * Tells whether Linux ended a process for lack of memory while a command ran. To the command's own parent such an end is
 * any other SIGKILL, so the counters of the system are compared.
 */
import { readFileSync } from "node:fs";

export type MemoryShortage =
  /** The command itself, or the last program that its shell ran. */
  | "command"
  /** Some process among those of this kedge, most likely one that the command started. */
  | "process";

export interface MemoryWatch {
  /** Undefined when memory sufficed, and where the system does not count. */
  shortage(end: ProgramEnd): MemoryShortage | undefined;
}

export type ProgramEnd = { readonly exitCode: number | null; readonly signal: string | null };

/** What a shell gives for a program that a SIGKILL ended. */
const killedCode = 128 + 9;
const cgroups = "/sys/fs/cgroup";

/** From now on. */
export function watchMemory(): MemoryWatch {
  // A command may have gone into a group of its own, whose counter nobody here knows.
  const ofMachine = counterAmong(["/proc/vmstat"]);
  const ofKedge = counterAmong(ownCounters());
  return {
    shortage({ exitCode, signal }) {
      if (signal === "SIGKILL" || exitCode === killedCode) return hasRisen(ofMachine) ? "command" : undefined;
      // Elsewhere on the machine memory may be short without anybody here noticing.
      return hasRisen(ofKedge) ? "process" : undefined;
    },
  };
}

type Counter = { readonly path: string; readonly count: number };

function counterAmong(paths: readonly string[]): Counter | undefined {
  for (const path of paths) {
    const count = readCount(path);
    if (count !== undefined) return { path, count };
  }
  return undefined;
}

function hasRisen(counter: Counter | undefined): boolean {
  return counter !== undefined && (readCount(counter.path) ?? 0) > counter.count;
}

/** Those of the control group of kedge, in which its commands run. A container may show its own group as the root while it names it from outside. */
function ownCounters(): readonly string[] {
  const groups = textOf("/proc/self/cgroup") ?? "";
  const old = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1];
  if (old !== undefined) return [old, ""].map((group) => `${cgroups}/memory${group}/memory.oom_control`);
  const unified = /^0::(.*)$/m.exec(groups)?.[1];
  return unified === undefined ? [] : [unified, ""].map((group) => `${cgroups}${group}/memory.events`);
}

/** All these files have it in a line of the same form. */
function readCount(path: string): number | undefined {
  const count = /^oom_kill (\d+)$/m.exec(textOf(path) ?? "")?.[1];
  return count === undefined ? undefined : Number(count);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    // Another system, or one that hides it.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
