/** Finds and ends the processes of one command, those too that left its process group, by a mark in their environment. */
import { readdirSync, readFileSync } from "node:fs";

/** Holds the marks of all commands around a process, so that kedge inside kedge is ended with the outer command. */
const markVariable = "KEDGE_JOB";
const killRoundsMax = 100;

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
  for (const pid of findMarked((mark) => marks.has(mark))) if (statusOf(pid).group !== leader) send(pid, "SIGTERM");
}

export function killMarked(marks: ReadonlySet<string>): void {
  killWhere((mark) => marks.has(mark));
}

/**
 * Gives the number of processes that were killed. Looks again until all of them are over, because a process may fork
 * while the others are being killed, and until nobody is starting a program, because such a process shows no marks.
 */
export function killWhere(isMeant: (mark: string) => boolean): number {
  const killed = new Set<number>();
  for (let round = 0; round < killRoundsMax; round++) {
    let isSettled = true;
    for (const pid of listProcesses()) {
      const environment = readAbout(pid, "environ");
      if (marksIn(environment).some(isMeant)) {
        send(pid, "SIGKILL");
        killed.add(pid);
        isSettled = false;
      } else if ((environment === "" || killed.has(pid)) && isUnsettled(pid, killed)) isSettled = false;
    }
    if (isSettled) break;
  }
  return killed.size;
}

/**
 * Dying by our signal, or between two programs: it showed no variables although it was not started without any. What it
 * shows may change between two looks, so only a program that was given an empty list of variables counts as having none.
 */
function isUnsettled(pid: number, killed: ReadonlySet<number>): boolean {
  const { state, isKernelThread, hasNoVariables } = statusOf(pid);
  if (isKernelThread || state === undefined || state === "Z" || state === "X") return false;
  return killed.has(pid) || !hasNoVariables;
}

/** Nobody where the system has no /proc: there only the process group is ended. */
function findMarked(isMeant: (mark: string) => boolean): readonly number[] {
  return listProcesses().filter((pid) => marksIn(readAbout(pid, "environ")).some(isMeant));
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

function marksIn(variables: string | undefined): readonly string[] {
  if (variables === undefined) return [];
  const environment = `\0${variables}`;
  const start = environment.indexOf(`\0${markVariable}=`);
  if (start === -1) return [];
  const valueStart = start + markVariable.length + 2;
  const end = environment.indexOf("\0", valueStart);
  return environment.slice(valueStart, end === -1 ? undefined : end).split(" ");
}

const kernelThreadFlag = 0x20_0000;

type Status = {
  readonly state: string | undefined;
  readonly group: number;
  readonly isKernelThread: boolean;
  readonly hasNoVariables: boolean;
};

/** The name of the program comes before the numbers, in brackets, and may itself hold brackets. */
function statusOf(pid: number): Status {
  const status = readAbout(pid, "stat");
  if (status === undefined) return { state: undefined, group: 0, isKernelThread: false, hasNoVariables: false };
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  const [state, , group, , , , flags] = fields;
  // The addresses where its variables begin and end: both 0 until they are in place.
  const [start, end] = fields.slice(47, 49);
  return {
    state,
    group: Number(group),
    isKernelThread: (Number(flags) & kernelThreadFlag) !== 0,
    hasNoVariables: end !== "0" && start === end,
  };
}

/** Nothing about a process that is gone since it was listed, or that is somebody else's. */
function readAbout(pid: number, file: "environ" | "stat"): string | undefined {
  try {
    // Latin letters for bytes: the variables of strangers need not be text.
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return undefined;
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
