/** Tells a program that has nothing to do from one that only waits for its turn on a busy machine. */
import { readdirSync, readFileSync } from "node:fs";

/** Whether a thread of the process runs, wants to, or waits for the disk. One that is gone has nothing to do. */
export function isProcessBusy(pid: number): boolean {
  return threadsOf(pid).some((thread) => /^[RD]/.test(stateOf(pid, thread)));
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function stateOf(pid: number, thread: string): string {
  try {
    const status = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1");
    // The name before it is in parentheses and may hold any character.
    return status.slice(status.lastIndexOf(")") + 2);
  } catch {
    // It ended since it was listed.
    return "";
  }
}
