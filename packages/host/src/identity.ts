/** Who this process is to other kedge processes on the machine, and whether another one still lives. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { LeaseHolder } from "@kedge/protocol";

/** Place of the start time among the fields that follow the process's name in `/proc/<pid>/stat`. */
const startTimeField = 19;

/** A new boot id each time; process id and start time together name a process even after its id was used again. */
export function thisProcess(): LeaseHolder {
  return { boot: randomUUID(), pid: process.pid, startedAt: startTimeOf(process.pid) ?? "" };
}

export function isAlive(holder: LeaseHolder): boolean {
  const startedAt = startTimeOf(holder.pid);
  if (startedAt !== undefined) return startedAt === holder.startedAt;
  if (holder.startedAt !== "") return false;
  // Without /proc only the id is left to go by, so a reused id keeps a lease until it expires.
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Clock ticks from system start to process start, or undefined when there is no such process or no /proc. */
function startTimeOf(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // Whatever the reason, nothing is known about the process.
    return undefined;
  }
  // The name in parentheses may itself hold spaces and parentheses.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[startTimeField];
}
