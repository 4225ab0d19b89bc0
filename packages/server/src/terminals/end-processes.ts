/** Ends all that was started in a terminal: its session, and by a mark in their environment those who left that. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Not the mark of the agent's commands: what a user starts in a terminal may speak to kedge. */
export const terminalVariable = "KEDGE_TERMINAL";

export type TerminalProcesses = {
  /** The leader of the session. */
  readonly pid: number;
  /** The value of the variable; unique on this machine. */
  readonly mark: string;
};

const graceMs = 2_000;
/** What cannot be killed hangs in the kernel, and is not waited for longer. */
const killMsMax = 1_000;
const lookMs = 50;

/** Asks, and kills whoever is left after the time. */
export async function endProcesses(terminal: TerminalProcesses): Promise<void> {
  // A shell that somebody types into takes no notice of the last one, and a stopped program of none but the second.
  signalAll(terminal, ["SIGHUP", "SIGCONT", "SIGTERM"]);
  if (await areGone(terminal, graceMs)) return;
  const end = performance.now() + killMsMax;
  while (performance.now() < end) {
    // Every time again, because a process may fork while the others are being killed.
    if (signalAll(terminal, ["SIGKILL"]) === 0) return;
    await sleep(lookMs);
  }
}

async function areGone(terminal: TerminalProcesses, withinMs: number): Promise<boolean> {
  // By the clock, because a look at many processes takes as long as the pause between two.
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (findProcesses(terminal).length === 0) return true;
    await sleep(lookMs);
  }
  return false;
}

/** Gives the number of those who were there. */
function signalAll(terminal: TerminalProcesses, signals: readonly NodeJS.Signals[]): number {
  const found = findProcesses(terminal);
  for (const target of found) for (const signal of signals) send(target, signal);
  return found.length;
}

/** Where the system has no /proc: the process group of the shell. */
function findProcesses({ pid: leader, mark }: TerminalProcesses): readonly number[] {
  const listed = listProcesses();
  if (listed === undefined) return send(-leader, 0) ? [-leader] : [];
  return listed.filter((pid) => {
    const { state, session } = statusOf(pid);
    // Over already, and only waiting for a parent that may never collect it.
    if (state === "" || state === "Z" || state === "X") return false;
    return session === leader || `\0${readAbout(pid, "environ")}`.includes(`\0${terminalVariable}=${mark}\0`);
  });
}

function listProcesses(): readonly number[] | undefined {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The name of the program comes before the rest, in brackets, and may itself hold brackets. */
function statusOf(pid: number): { readonly state: string; readonly session: number } {
  const status = readAbout(pid, "stat");
  const [state = "", , , session] = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return { state, session: Number(session) };
}

/** Nothing about a process that is gone since it was listed, or that is somebody else's. */
function readAbout(pid: number, file: "environ" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return "";
    throw error;
  }
}

/** Whether somebody of ours is there. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // ESRCH: nobody is left there. EPERM: what is left belongs to another user and is not ours to end.
    if (hasCode(error, "ESRCH", "EPERM")) return false;
    throw error;
  }
}

export function isProcessThere(pid: number): boolean {
  return send(pid, 0);
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}
