/** `exec` of tools: runs a program without a shell, and says how it ended. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { collect } from "./shell-template.ts";

export type ProgramEnd = {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  /** By a signal, such as that of an interruption. */
  readonly killed: boolean;
};

export type ProgramOptions = { readonly signal?: AbortSignal; readonly cwd?: string };

const notStarted = 127;

export type RunProgram = (command: string, words?: readonly string[], options?: ProgramOptions) => Promise<ProgramEnd>;

export function createRunProgram(directory: string): RunProgram {
  return (command, words = [], { signal, cwd = "." } = {}) =>
    new Promise((settle) => {
      const child = spawn(command, [...words], {
        cwd: resolve(directory, cwd),
        stdio: ["ignore", "pipe", "pipe"],
        ...(signal !== undefined && { signal, killSignal: "SIGKILL" as const }),
      });
      const stdout = collect(child.stdout);
      const stderr = collect(child.stderr);
      child.once("error", (error) => {
        if (child.pid === undefined) settle({ stdout: "", stderr: error.message, code: notStarted, killed: false });
      });
      child.once("close", (code, endedBy) => {
        const texts = { stdout: stdout().toString("utf8"), stderr: stderr().toString("utf8") };
        settle({ ...texts, code: code ?? 1, killed: endedBy !== null });
      });
    });
}
