/** Waits until no process of a sandbox is left, those too that outlive the program which started it for a moment. */
import { readFileSync, readlinkSync } from "node:fs";

const endMsMax = 5_000;
const pollMs = 2;

/**
 * `reportPath` is what bubblewrap wrote about its first process. The kernel lets that one go only after all others in
 * its namespace have gone. False when it still runs at the end of the wait.
 */
export async function waitForSandboxEnd(reportPath: string): Promise<boolean> {
  const report = readFileSync(reportPath, "utf8");
  const pid = numberIn(report, "child-pid");
  const namespace = numberIn(report, "pid-namespace");
  // Nothing was started.
  if (pid === undefined) return true;
  for (let waitedMs = 0; waitedMs < endMsMax; waitedMs += pollMs) {
    if (!isRunning(pid, namespace)) return true;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return false;
}

export function numberIn(report: string, key: string): number | undefined {
  const found = new RegExp(`"${key}": (\\d+)`).exec(report)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The number of a process may be given to another one, which then is in another namespace. */
function isRunning(pid: number, namespace: number | undefined): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    const state = status[status.lastIndexOf(")") + 2];
    if (state === "Z" || state === "X") return false;
    return namespace === undefined || readlinkSync(`/proc/${pid}/ns/pid`) === `pid:[${namespace}]`;
  } catch (error) {
    // ENOENT, ESRCH: it has gone. EACCES: it belongs to somebody else, so it is another process.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
