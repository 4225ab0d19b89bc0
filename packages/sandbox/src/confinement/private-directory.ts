/** Makes the private directory of a sandbox, and clears those that killed processes left behind. */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A process id means something only among the processes that see each other. */
const processesPath = "/proc/self/ns/pid";
const leftName = /^kedge-(?:look|sandbox)-(\d+)-(\d+)-\w{6}$/;

/** Its name says whose it is, because nobody else can clear it after a kill. */
export function makePrivateDirectory(root: string, kind: "look" | "sandbox"): string {
  const processes = processesHere();
  clearLeft(root, processes);
  return mkdtempSync(join(root, `kedge-${kind}-${processes}-${process.pid}-`));
}

/** Never fails: what cannot be cleared is in nobody's way. */
function clearLeft(root: string, processes: string): void {
  for (const name of readdirSync(root)) {
    const [, where, pid] = leftName.exec(name) ?? [];
    if (where !== processes || pid === undefined || !isGone(Number(pid))) continue;
    const path = join(root, name);
    try {
      // The directory for temporary files is open to all: what belongs to somebody else is left alone.
      if (lstatSync(path).isDirectory() && lstatSync(path).uid === process.getuid?.())
        rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}

function processesHere(): string {
  return /\d+/.exec(readlinkSync(processesPath))?.[0] ?? "0";
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
