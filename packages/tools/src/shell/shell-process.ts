/** Runs one command in a process group of its own and ends all of it, however far its processes have strayed. */
import { type ChildProcess, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { reportedDirectory, withDirectoryReport } from "./directory-report.ts";
import { askStraysToEnd, killMarked, signalGroup, withMark } from "./marked-processes.ts";

export type ShellCommand = {
  readonly shellPath: string;
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** One word, unique on this machine; its processes are found by it. */
  readonly mark: string;
  /** Without it the command may run for ever. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Output in the order of arrival, never cut inside a character. */
  readonly onOutput: (chunk: string, stream: "stdout" | "stderr") => void;
  readonly graces?: ShellGraces;
  /**
   * Runs on after its shell for as long as anybody holds its output, and what is left then is not ended. Otherwise
   * nothing of the group outlives the shell.
   */
  readonly outlivesShell?: true;
};

/** How long each stage of an ending may take before the next, harder one. */
export type ShellGraces = {
  /** From SIGTERM to SIGKILL when the time is up. */
  readonly timeoutMs: number;
  /** From SIGTERM to SIGKILL when the call is aborted. */
  readonly abortMs: number;
  /** For output still in the pipes once the shell has gone. */
  readonly drainMs: number;
  /** From SIGKILL to giving up on a process that the kernel will not let go. */
  readonly killMs: number;
};

export type StopReason = "timeout" | "abort" | "output";

export type ShellEnd =
  | {
      readonly kind: "ended";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stoppedBy: "nothing" | StopReason;
      /** Where the shell stood at its end, if it could say. */
      readonly directory?: string;
    }
  | { readonly kind: "not-started"; readonly problem: string };

/** A command that prints more than this is ended. */
export const outputBytesMax = 50 * 1_024 * 1_024;

const usualGraces: ShellGraces = { timeoutMs: 3_000, abortMs: 1_000, drainMs: 100, killMs: 500 };

export function runShell(command: ShellCommand): Promise<ShellEnd> {
  if (command.signal.aborted)
    return Promise.resolve({ kind: "ended", exitCode: null, signal: null, stoppedBy: "abort" });
  const child = startShell(command);
  if ("problem" in child) return Promise.resolve({ kind: "not-started", problem: child.problem });
  return superviseShell(child, command);
}

function startShell(command: ShellCommand): ChildProcess | { readonly problem: string } {
  const { shellPath, outlivesShell } = command;
  const text = outlivesShell ? command.command : withDirectoryReport(command.command, shellPath);
  try {
    return spawn(shellPath, ["-c", text], {
      cwd: command.cwd,
      // A shell keeps the name it is given for its directory, with the links in it, only if this says the same.
      env: { ...withMark(command.environment, command.mark), PWD: command.cwd },
      detached: true,
      stdio: ["ignore", "pipe", "pipe", outlivesShell ? "ignore" : "pipe"],
    });
  } catch (error) {
    // Thrown for commands that no process can take, such as one longer than the system's limit.
    if (!(error instanceof Error && "code" in error)) throw error;
    return { problem: `The command could not be started: ${error.message}` };
  }
}

function superviseShell(child: ChildProcess, command: ShellCommand): Promise<ShellEnd> {
  const { promise, resolve } = Promise.withResolvers<ShellEnd>();
  const graces = command.graces ?? usualGraces;
  const marks = new Set([command.mark]);
  const timers: NodeJS.Timeout[] = [];
  const pipes = child.stdio.map((pipe) => (pipe instanceof Readable ? pipe : undefined));
  let stoppedBy: "nothing" | StopReason = "nothing";
  let exit: { readonly code: number | null; readonly signal: string | null } = { code: null, signal: null };
  let isFinished = false;
  let outputBytes = 0;

  const signalAll = (signal: "SIGTERM" | "SIGKILL"): void => {
    // Once all is over the number of the group may belong to somebody else.
    if (isFinished || child.pid === undefined) return;
    signalGroup(child.pid, signal);
    if (stoppedBy === "nothing") return;
    if (signal === "SIGTERM") askStraysToEnd(marks, child.pid);
    else killMarked(marks);
  };
  const finish = (end: ShellEnd): void => {
    isFinished = true;
    for (const timer of timers) clearTimeout(timer);
    command.signal.removeEventListener("abort", onAbort);
    // Somebody may hold the pipes for ever; nobody listens to him any more.
    for (const pipe of pipes) pipe?.removeAllListeners("data").destroy();
    child.unref();
    resolve(end);
  };
  const end = (): void => {
    if (isFinished) return;
    if (stoppedBy !== "nothing" || command.outlivesShell !== true) signalAll("SIGKILL");
    for (const flush of flushes) flush();
    const directory = stoppedBy === "nothing" ? report() : undefined;
    const place = directory === undefined ? {} : { directory };
    finish({ kind: "ended", exitCode: exit.code, signal: exit.signal, stoppedBy, ...place });
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
  const take = (chunk: string, stream: "stdout" | "stderr"): void => {
    outputBytes += Buffer.byteLength(chunk);
    if (outputBytes > outputBytesMax) stop("output", graces.abortMs);
    else command.onOutput(chunk, stream);
  };

  const flushes = [
    forward(child.stdout, (text) => take(text, "stdout")),
    forward(child.stderr, (text) => take(text, "stderr")),
  ];
  const report = reportedDirectory(pipes[3]);
  if (command.timeoutMs !== undefined)
    timers.push(setTimeout(() => stop("timeout", graces.timeoutMs), command.timeoutMs));
  command.signal.addEventListener("abort", onAbort, { once: true });
  child.once("error", (error) => finish({ kind: "not-started", problem: `The shell did not start: ${error.message}` }));
  child.once("exit", (code, signal) => {
    exit = { code, signal };
    // Background processes may keep the pipes open; what the command itself wrote is read within the drain.
    if (stoppedBy === "nothing" && command.outlivesShell !== true) timers.push(setTimeout(end, graces.drainMs));
  });
  child.once("close", end);
  return promise;
}

/** Passes decoded output on and gives a function that releases an unfinished character at the end. */
function forward(pipe: Readable | null, send: (text: string) => void): () => void {
  const decoder = new StringDecoder("utf8");
  const pass = (text: string) => {
    if (text !== "") send(text);
  };
  pipe?.on("data", (bytes: Buffer) => pass(decoder.write(bytes)));
  return () => pass(decoder.end());
}
