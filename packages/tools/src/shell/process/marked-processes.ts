/** Finds and ends the processes of one command, those too that left its process group, by a mark in their environment. */
import { readdirSync, readFileSync } from "node:fs";

/** Holds the marks of all commands around a process, so that kedge inside kedge is ended with the outer command. */
const markVariable = "KEDGE_JOB";
const killRoundsMax = 20;

type EndingSignal = "SIGTERM" | "SIGKILL";
type Environment = Readonly<Record<string, string>>;

/** The environment of a command whose processes can be found again. A mark is one word, unique on this machine. */
export function withMark(environment: Environment, mark: string): Environment {
  const outer = environment[markVariable];
  return { ...environment, [markVariable]: outer === undefined ? mark : `${outer} ${mark}` };
}

export function signalGroup(leader: number, signal: EndingSignal): void {
  send(-leader, signal);
}

/**
 * For processes that may want to tidy up. Those of the group are left out, because many programs take a second signal
 * for impatience. Whoever forks meanwhile is left to `killMarked`.
 */
export function askStraysToEnd(marks: ReadonlySet<string>, leader: number): void {
  for (const pid of findMarked((mark) => marks.has(mark))) if (groupOf(pid) !== leader) send(pid, "SIGTERM");
}

export function killMarked(marks: ReadonlySet<string>): void {
  killWhere((mark) => marks.has(mark));
}

/**
 * Gives the number of processes that were killed. Repeats until nobody is found, because a process may fork while the
 * others are being killed.
 */
export function killWhere(isMeant: (mark: string) => boolean): number {
  const killed = new Set<number>();
  for (let round = 0; round < killRoundsMax; round++) {
    const found = findMarked(isMeant);
    if (found.length === 0) break;
    for (const pid of found) {
      send(pid, "SIGKILL");
      killed.add(pid);
    }
  }
  return killed.size;
}

/** Nobody where the system has no /proc: there only the process group is ended. */
function findMarked(isMeant: (mark: string) => boolean): readonly number[] {
  return listProcesses().filter((pid) => marksOf(pid).some(isMeant));
}

function listProcesses(): readonly number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Empty for a process that has ended and only waits to be collected. */
function marksOf(pid: number): readonly string[] {
  const environment = `\0${readAbout(pid, "environ")}`;
  const start = environment.indexOf(`\0${markVariable}=`);
  if (start === -1) return [];
  const valueStart = start + markVariable.length + 2;
  const end = environment.indexOf("\0", valueStart);
  return environment.slice(valueStart, end === -1 ? undefined : end).split(" ");
}

/** The name of the program comes before the numbers, in brackets, and may itself hold brackets. */
function groupOf(pid: number): number {
  const status = readAbout(pid, "stat");
  return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[2]);
}

/** Nothing about a process that is gone since it was listed, or that is somebody else's. */
function readAbout(pid: number, file: "environ" | "stat"): string {
  try {
    // Latin letters for bytes: the variables of strangers need not be text.
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return "";
    throw error;
  }
}

function send(target: number, signal: EndingSignal): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // ESRCH: nobody is left there. EPERM: what is left belongs to another user and is not ours to end.
    if (!hasCode(error, "ESRCH", "EPERM")) throw error;
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}
