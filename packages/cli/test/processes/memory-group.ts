/** A control group of Linux that may hold so much memory and no more: whoever needs more in it is ended by the kernel. */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";

export type MemoryGroup = {
  /** A line of shell that enters the group and starts `"$@"` in it. */
  readonly around: string;
  /** How many processes the kernel has ended in it. */
  ended(): number;
};

const root = "/sys/fs/cgroup";

/** Removed with the test. Or why this machine gives none, in words. */
export function openMemoryGroup(limitBytes: number): MemoryGroup | string {
  const groups = readFileSync("/proc/self/cgroup", "latin1");
  const old = /^\d+:memory:(.*)$/m.exec(groups)?.[1];
  const files =
    old === undefined
      ? { parent: root, limit: "memory.max", swap: "memory.swap.max", count: "memory.events" }
      : {
          ...{ parent: join(root, "memory", old), limit: "memory.limit_in_bytes" },
          ...{ swap: "memory.memsw.limit_in_bytes", count: "memory.oom_control" },
        };
  const group = join(files.parent, `kedge-test-${randomUUID()}`);
  try {
    if (old === undefined) writeFileSync(join(files.parent, "cgroup.subtree_control"), "+memory");
    mkdirSync(group);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return `no control group can be made (${error.code})`;
  }
  // Those in it are ended by who started them, which takes the system a moment.
  onTestFinished(() => expect.poll(() => attemptRemoval(group)).toBe("removed"));
  try {
    writeFileSync(join(group, files.limit), `${limitBytes}`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return `no control group can be limited (${error.code})`;
  }
  limitSwap(join(group, files.swap), old === undefined ? 0 : limitBytes);
  return {
    around: `echo $$ >${group}/cgroup.procs && exec "$@"`,
    ended: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(group, files.count), "latin1"))?.[1]),
  };
}

function limitSwap(path: string, bytes: number): void {
  try {
    writeFileSync(path, `${bytes}`);
  } catch (error) {
    // A kernel that does not count swap.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function attemptRemoval(group: string): string {
  try {
    rmdirSync(group);
    return "removed";
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return error.code === "ENOENT" ? "removed" : String(error.code);
  }
}
