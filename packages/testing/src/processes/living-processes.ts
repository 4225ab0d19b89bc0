/** Looks for processes that a test must not leave behind, by a word that stands on their command line alone. */
import { readdirSync, readFileSync } from "node:fs";

/** Command lines that contain the word, by process id; those of the dead who were not collected are empty. */
export function livingProcesses(word: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) continue;
    const line = commandLine(pid);
    if (line.includes(word)) found.set(pid, line);
  }
  return found;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim();
  } catch {
    // It is gone since it was listed.
    return "";
  }
}
