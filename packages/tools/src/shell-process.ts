/** Runs one command in a process group of its own and leaves nothing of it behind, however it ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

export type ShellCommand = {
  readonly shellPath: string;
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Output in the order of arrival, never cut inside a character. */
  readonly onOutput: (chunk: string, stream: "stdout" | "stderr") => void;
  readonly graces?: ShellGraces;
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

export type ShellEnd =
  | {
      readonly kind: "ended";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stoppedBy: "nothing" | "timeout" | "abort";
    }
  | { readonly kind: "not-started"; readonly problem: string };

const usualGraces: ShellGraces = { timeoutMs: 3_000, abortMs: 1_000, drainMs: 100, killMs: 500 };

export function runShell(command: ShellCommand): Promise<ShellEnd> {
  if (command.signal.aborted)
    return Promise.resolve({ kind: "ended", exitCode: null, signal: null, stoppedBy: "abort" });
  const child = startShell(command);
  if ("problem" in child) return Promise.resolve({ kind: "not-started", problem: child.problem });
  return superviseShell(child, command);
}

function startShell(command: ShellCommand): ChildProcess | { readonly problem: string } {
  try {
    return spawn(command.shellPath, ["-c", command.command], {
      cwd: command.cwd,
      env: command.environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
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
  const timers: NodeJS.Timeout[] = [];
  const decoders = [forward(child.stdout, "stdout", command), forward(child.stderr, "stderr", command)];
  let stoppedBy: "nothing" | "timeout" | "abort" = "nothing";
  let exit: { readonly code: number | null; readonly signal: string | null } = { code: null, signal: null };

  let finished = false;

  const finish = (end: ShellEnd): void => {
    finished = true;
    for (const timer of timers) clearTimeout(timer);
    command.signal.removeEventListener("abort", onAbort);
    // A process that left the group may hold the pipes for ever; nobody listens to it any more.
    child.stdout?.removeAllListeners("data").destroy();
    child.stderr?.removeAllListeners("data").destroy();
    child.unref();
    resolve(end);
  };
  const end = (): void => {
    // Once all is over the number of the group may belong to somebody else.
    if (finished) return;
    signalGroup(child, "SIGKILL");
    for (const flush of decoders) flush();
    finish({ kind: "ended", exitCode: exit.code, signal: exit.signal, stoppedBy });
  };
  const stop = (reason: "timeout" | "abort", graceMs: number): void => {
    if (stoppedBy === "abort") return;
    stoppedBy = reason;
    signalGroup(child, "SIGTERM");
    timers.push(
      setTimeout(() => signalGroup(child, "SIGKILL"), graceMs),
      setTimeout(end, graceMs + graces.killMs),
    );
  };
  const onAbort = () => stop("abort", graces.abortMs);

  timers.push(setTimeout(() => stop("timeout", graces.timeoutMs), command.timeoutMs));
  command.signal.addEventListener("abort", onAbort, { once: true });
  child.once("error", (error) => finish({ kind: "not-started", problem: `The shell did not start: ${error.message}` }));
  child.once("exit", (code, signal) => {
    exit = { code, signal };
    // Background processes may keep the pipes open; what the command itself wrote is read within the drain.
    timers.push(setTimeout(end, graces.drainMs));
  });
  child.once("close", end);
  return promise;
}

/** Passes decoded output on and gives a function that releases an unfinished character at the end. */
function forward(pipe: ChildProcess["stdout"], stream: "stdout" | "stderr", command: ShellCommand): () => void {
  const decoder = new StringDecoder("utf8");
  const send = (text: string) => {
    if (text !== "") command.onOutput(text, stream);
  };
  pipe?.on("data", (bytes: Buffer) => send(decoder.write(bytes)));
  return () => send(decoder.end());
}

function signalGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: nobody is left in the group. EPERM: what is left belongs to another user and is not ours to end.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}
