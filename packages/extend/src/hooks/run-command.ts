/** Runs the command of a hook: JSON in, bounded output, a time limit, and an end for everything it started. */
import { spawn } from "node:child_process";
import { attemptStart, endGroup, tiedStart } from "@kedge/protocol";
import type { HookAction } from "./hook.ts";
import type { CommandEnd } from "./hook-answer.ts";

const outputBytesMax = 1_024 * 1_024;
/** What a process printed before it ended is in the pipe by then. */
const openPipesMsMax = 300;

export type CommandPlace = {
  readonly cwd: string;
  /** Without secrets; ties what is started to this kedge. */
  readonly environment: { readonly [name: string]: string };
  readonly shellPath: string;
};

export type RanCommand =
  | ({ readonly ok: true } & CommandEnd)
  /** A sentence without a full stop, about the hook. */
  | { readonly ok: false; readonly problem: string };

export type CommandRun = CommandPlace & {
  readonly action: Extract<HookAction, { type: "command" }>;
  /** What is written to its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
};

export function runCommand(run: CommandRun, signal: AbortSignal): Promise<RanCommand> {
  const { action, input, timeoutMs, cwd, environment, shellPath } = run;
  if (signal.aborted) return Promise.resolve({ ok: false, problem: interrupted });
  const wanted =
    action.args === undefined
      ? { file: shellPath, args: ["-c", action.command] }
      : { file: action.command, args: [...action.args] };
  const { file, args } = tiedStart(wanted, environment);
  return new Promise((resolve) => {
    const child = attemptStart(() =>
      // A group of its own, so that nothing of it outlives its time.
      spawn(file, args, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"], detached: true }),
    );
    if ("problem" in child)
      return resolve({ ok: false, problem: `its command could not be started (${child.problem})` });
    const stdout = boundedText();
    const stderr = boundedText();
    let ended: string | undefined;
    const end = (why: string) => {
      ended ??= why;
      endGroup(child.pid);
    };
    const onAbort = () => end(interrupted);
    const timer = setTimeout(() => end(`it did not respond within ${timeoutMs / 1_000} s`), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (outcome: RanCommand) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    child.stdout.on("data", (piece: Buffer) => {
      stdout.add(piece);
      if (!wantsToContinueAlone(stdout.text())) return;
      // Nobody waits for it from here on; its time limit still holds, and it ends with kedge.
      resolve({ ok: true, exitCode: 0, stdout: "", stderr: "", isCut: false });
      for (const handle of [child, timer, child.stdout, child.stderr]) unref(handle);
    });
    child.stderr.on("data", stderr.add);
    // A hook need not read what it is told.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("error", ({ message }) => settle({ ok: false, problem: `its command could not be started (${message})` }));
    child.on("exit", () => {
      // What it left running in the background may hold the pipes open, and nobody waits for that.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, openPipesMsMax).unref();
    });
    child.on("close", (code, killedBy) => {
      if (ended !== undefined) return settle({ ok: false, problem: ended });
      if (code === null) return settle({ ok: false, problem: `it was killed by ${killedBy}` });
      const isCut = stdout.isCut() || stderr.isCut();
      settle({ ok: true, exitCode: code, stdout: stdout.text(), stderr: stderr.text(), isCut });
    });
  });
}

const interrupted = "it was interrupted";

/** A first line that says so, before anything else. */
function wantsToContinueAlone(text: string): boolean {
  if (!/^\s*\{[^\n]*"async"\s*:\s*true[^\n]*\}\s*(?:\n|$)/.test(text)) return false;
  const [line = ""] = text.trimStart().split("\n", 1);
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "async" in value && value.async === true;
  } catch {
    return false;
  }
}

/** Pipes can be let go as well, though the types of streams do not say so. */
function unref(handle: object): void {
  if ("unref" in handle && typeof handle.unref === "function") handle.unref();
}

function boundedText() {
  const pieces: Buffer[] = [];
  let left = outputBytesMax;
  let isCut = false;
  return {
    add(piece: Buffer) {
      if (piece.length > left) isCut = true;
      if (left > 0) pieces.push(piece.subarray(0, left));
      left = Math.max(0, left - piece.length);
    },
    text: () => Buffer.concat(pieces).toString("utf8"),
    isCut: () => isCut,
  };
}
