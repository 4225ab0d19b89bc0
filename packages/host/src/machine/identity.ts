/** Who this process is to other kedge processes, on which machine, and whether another one there still lives. */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { LeaseHolder } from "@kedge/protocol";

/** Places among the fields that follow the process's name in `/proc/<pid>/stat`. */
const stateField = 0;
const threadsField = 17;
const startTimeField = 19;

/** A new boot id each time; process id and start time together name a process even after its id was used again. */
export function thisProcess(): LeaseHolder {
  return { boot: randomUUID(), pid: process.pid, startedAt: startTimeOf(process.pid) ?? "" };
}

/** Another process of this machine, under a boot id that nobody has. */
export function processNamed(pid: number): LeaseHolder {
  return { boot: "", pid, startedAt: startTimeOf(pid) ?? "" };
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

/**
 * Names those processes that `isAlive` can tell of: a start of this system, and in it the room that a container has of
 * its own for process ids. Anywhere else the same id means another process.
 */
export function thisMachine(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Without /proc the name of the machine is all there is.
    return hostname();
  }
}

/**
 * Clock ticks from system start to process start, or undefined when there is no such process or no /proc. One that has
 * ended is listed as a zombie until its parent collects it, which some terminals and containers never do.
 */
function startTimeOf(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // Whatever the reason, nothing is known about the process.
    return undefined;
  }
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // The first thread may be over while others still end.
  const isOver = /^[ZX]$/.test(fields[stateField] ?? "") && Number(fields[threadsField]) <= 1;
  return isOver ? undefined : fields[startTimeField];
}
