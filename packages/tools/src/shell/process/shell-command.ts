/** What a command is to the shell that runs it: how it is started, what it tells, and how it ended. */

import type { MemoryShortage } from "./memory-watch.ts";

export type ShellCommand = {
  readonly shellPath: string;
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** One word, unique on this machine; its processes are found by it. */
  readonly mark: string;
  /** Without it the command may run for ever. */
  readonly timeoutMs?: number;
  /** Asked when the time is up; true when the command was detached instead of being ended. */
  readonly onTimeout?: () => boolean;
  readonly signal: AbortSignal;
  /** Output in the order of arrival, never cut inside a character. */
  readonly onOutput: OnOutput;
  readonly graces?: ShellGraces;
  /**
   * Runs on after its shell for as long as anybody holds its output, and what is left then is not ended. Otherwise
   * nothing of the group outlives the shell.
   */
  readonly outlivesShell?: true;
  /** The process to start in the place of the shell itself, when something confines it. */
  readonly start?: ShellStart;
  /** How the shell is started; with pipes for its output if left out. */
  readonly open?: (command: ShellCommand) => ShellProcess | ShellProblem;
};

/** A process that runs the shell inside of a sandbox, all of which ends with it. */
export type ShellStart = {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** To be handed on, after the four that are ours. */
  readonly descriptors: readonly number[];
  /** Called once, when the process has gone or could not be started. */
  release(): Promise<void>;
};

export type OnOutput = (chunk: string, stream: "stdout" | "stderr") => void;

export type ShellProblem = { readonly problem: string };

/** A shell that was started, with its output in pipes or on a terminal. */
export interface ShellProcess {
  readonly pid: number | undefined;
  /** Called once. */
  listen(listener: ShellListener): void;
  /** Where the shell stood at its end, if it could say. */
  directory(): string | undefined;
  /** Gives what is left of a character that came in pieces. */
  flush(): void;
  /** Somebody may hold the output for ever; nobody listens to him any more. */
  release(): void;
}

export type ShellListener = {
  readonly onOutput: OnOutput;
  readonly onExit: (code: number | null, signal: string | null) => void;
  /** The shell has gone and nobody holds its output. */
  readonly onEnd: () => void;
  /** That, and it has said where it stood. */
  readonly onClose: () => void;
  readonly onError: (message: string) => void;
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
      /** What the system ended meanwhile because no memory was left. */
      readonly shortage?: MemoryShortage;
      /** Where the shell stood at its end, if it could say. */
      readonly directory?: string;
    }
  | { readonly kind: "not-started"; readonly problem: string };

export type ShellRun = {
  readonly over: Promise<ShellEnd>;
  /** Like an abort of its signal. */
  stop(): void;
  /** Whether it runs and nobody is ending it. */
  isRunning(): boolean;
  /**
   * From now on it has neither a time limit nor a signal, may outlive its shell, and its output goes elsewhere. Only
   * for one that is running.
   */
  detach(onOutput: OnOutput): void;
};
