/** Runs one command in a process group of its own and ends all of it, however far its processes have strayed. */
import { askStraysToEnd, killMarked, signalGroup } from "./marked-processes.ts";
import { watchMemory } from "./memory-watch.ts";
import { openPipedShell } from "./piped-shell.ts";
import type { ShellCommand, ShellEnd, ShellGraces, ShellProcess, ShellRun, StopReason } from "./shell-command.ts";

export type { ShellCommand } from "./shell-command.ts";

/** A command that prints more than this is ended. */
export const outputBytesMax = 50 * 1_024 * 1_024;

export const usualGraces: ShellGraces = { timeoutMs: 3_000, abortMs: 1_000, drainMs: 100, killMs: 500 };

export function runShell(command: ShellCommand): Promise<ShellEnd> {
  return startShell(command).over;
}

export function startShell(command: ShellCommand): ShellRun {
  if (command.signal.aborted) {
    command.start?.release().catch(() => undefined);
    return neverRan({ kind: "ended", exitCode: null, signal: null, stoppedBy: "abort" });
  }
  const shell = (command.open ?? openPipedShell)(command);
  if (!("problem" in shell)) return superviseShell(shell, command);
  command.start?.release().catch(() => undefined);
  return neverRan({ kind: "not-started", problem: shell.problem });
}

function neverRan(end: ShellEnd): ShellRun {
  const none = () => undefined;
  return { over: Promise.resolve(end), stop: none, isRunning: () => false, detach: none };
}

function superviseShell(shell: ShellProcess, command: ShellCommand): ShellRun {
  const { promise, resolve } = Promise.withResolvers<ShellEnd>();
  const graces = command.graces ?? usualGraces;
  const memory = watchMemory();
  const marks = new Set([command.mark]);
  const timers: NodeJS.Timeout[] = [];
  let { onOutput, outlivesShell = false } = command;
  let stoppedBy: "nothing" | StopReason = "nothing";
  let exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  let isFinished = false;
  let outputBytes = 0;

  const signalAll = (signal: "SIGTERM" | "SIGKILL"): void => {
    // Once all is over the number of the group may belong to somebody else.
    if (isFinished || shell.pid === undefined) return;
    // A polite signal to the sandbox itself would end at once what shall have time to end.
    if (signal === "SIGKILL" || command.start === undefined) signalGroup(shell.pid, signal);
    if (stoppedBy === "nothing") return;
    if (signal === "SIGTERM") askStraysToEnd(marks, shell.pid);
    else killMarked(marks);
  };
  const letGo = (): void => {
    for (const timer of timers) clearTimeout(timer);
    command.signal.removeEventListener("abort", onAbort);
  };
  const finish = (end: ShellEnd): void => {
    isFinished = true;
    letGo();
    shell.release();
    // What it could not take away is taken away before the next command; the result does not wait.
    command.start?.release().catch(() => undefined);
    resolve(end);
  };
  const end = (): void => {
    if (isFinished) return;
    if (stoppedBy !== "nothing" || !outlivesShell) signalAll("SIGKILL");
    shell.flush();
    const directory = stoppedBy === "nothing" ? shell.directory() : undefined;
    const place = directory === undefined ? {} : { directory };
    const { code = null, signal = null } = exit ?? {};
    const shortage = stoppedBy === "nothing" ? memory.shortage({ exitCode: code, signal }) : undefined;
    finish({ kind: "ended", exitCode: code, signal, stoppedBy, ...place, ...(shortage && { shortage }) });
  };
  const stop = (reason: StopReason, graceMs: number): void => {
    if (isFinished || stoppedBy === "abort" || (stoppedBy !== "nothing" && reason !== "abort")) return;
    stoppedBy = reason;
    signalAll("SIGTERM");
    timers.push(
      setTimeout(() => signalAll("SIGKILL"), graceMs),
      setTimeout(end, graceMs + graces.killMs),
    );
  };
  const onAbort = () => stop("abort", graces.abortMs);
  const onTimeUp = () => {
    if (command.onTimeout?.() !== true) stop("timeout", graces.timeoutMs);
  };

  shell.listen({
    onOutput(chunk, stream) {
      outputBytes += Buffer.byteLength(chunk);
      if (outputBytes > outputBytesMax) stop("output", graces.abortMs);
      else onOutput(chunk, stream);
    },
    onExit(code, signal) {
      exit = { code, signal };
      // Background processes may keep the pipes open; what the command itself wrote is read within the drain.
      if (stoppedBy === "nothing" && !outlivesShell) timers.push(setTimeout(end, graces.drainMs));
    },
    onEnd() {
      // A detached one need not say where it stood, and what it left behind may hold that pipe for ever.
      if (outlivesShell) end();
    },
    onClose: end,
    onError: (message) => finish({ kind: "not-started", problem: `The shell did not start: ${message}` }),
  });
  if (command.timeoutMs !== undefined) timers.push(setTimeout(onTimeUp, command.timeoutMs));
  command.signal.addEventListener("abort", onAbort, { once: true });
  return {
    over: promise,
    stop: onAbort,
    isRunning: () => !isFinished && stoppedBy === "nothing" && exit === undefined,
    detach(listener) {
      letGo();
      onOutput = listener;
      outlivesShell = true;
    },
  };
}
