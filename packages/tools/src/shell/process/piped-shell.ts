/** Starts a shell whose input is closed and whose output comes in pipes. */
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { attemptStart, tiedStart } from "@kedge/protocol";
import { plainStart } from "./confined-start.ts";
import { reportedDirectory } from "./directory-report.ts";
import type { ShellCommand, ShellProblem, ShellProcess } from "./shell-command.ts";

export function openPipedShell(command: ShellCommand): ShellProcess | ShellProblem {
  const child = startChild(command);
  if ("problem" in child) return child;
  const pipes = child.stdio.map((pipe) => (pipe instanceof Readable ? pipe : undefined));
  const directory = reportedDirectory(pipes[3]);
  const flushes: (() => void)[] = [];

  return {
    pid: child.pid,
    listen({ onOutput, onExit, onEnd, onClose, onError }) {
      let parts = 3;
      const oneIsOver = () => {
        parts -= 1;
        if (parts === 0) onEnd();
      };
      flushes.push(
        forward(child.stdout, (text) => onOutput(text, "stdout")),
        forward(child.stderr, (text) => onOutput(text, "stderr")),
      );
      child.stdout?.once("close", oneIsOver);
      child.stderr?.once("close", oneIsOver);
      child.once("error", (error) => onError(error.message));
      child.once("exit", (code, signal) => {
        onExit(code, signal);
        oneIsOver();
      });
      child.once("close", onClose);
    },
    directory,
    flush() {
      for (const flush of flushes) flush();
    },
    release() {
      for (const pipe of pipes) pipe?.removeAllListeners("data").destroy();
      child.unref();
    },
  };
}

function startChild(command: ShellCommand) {
  const { outlivesShell, cwd } = command;
  const start = command.start ?? plainStart(command, { kind: outlivesShell ? "background" : "pipes" });
  const { file, args } = tiedStart(start, start.environment);
  const child = attemptStart(() =>
    spawn(file, args, {
      cwd,
      env: start.environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", outlivesShell ? "ignore" : "pipe", ...start.descriptors],
    }),
  );
  return "problem" in child ? { problem: `The command could not be started: ${child.problem}.` } : child;
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
