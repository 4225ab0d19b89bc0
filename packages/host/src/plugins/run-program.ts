/** Runs git or npm for an installation: without secrets, tied to this process, within a time, its output bounded. */
import { spawn } from "node:child_process";
import { attemptStart } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createProcessTie } from "@kedge/tools";
import { thisProcess } from "../machine/identity.ts";

export type Program = {
  readonly program: "git" | "npm";
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Set for this program alone. */
  readonly variables?: { readonly [name: string]: string };
  /** Secrets that it may see all the same. */
  readonly passthrough?: readonly string[];
};

export type RanProgram =
  | { readonly ok: true; readonly output: string }
  /** A sentence without a full stop. */
  | { readonly ok: false; readonly why: string };

const timeoutMs = 5 * 60_000;
const outputCharactersMax = 4 * 1024 * 1024;
const shownMax = 300;

export function runProgram(given: Program, signal: AbortSignal): Promise<RanProgram> {
  const { program, cwd, environment, variables, passthrough = [] } = given;
  if (signal.aborted) return Promise.resolve({ ok: false, why: "it was interrupted" });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const tie = createProcessTie(thisProcess());
  return new Promise<RanProgram>((resolve) => {
    const scrubbed = childEnvironment(environment, { scrub: true, passthrough });
    const child = attemptStart(() =>
      spawn(program, given.arguments, {
        cwd,
        env: { ...tie.environment(scrubbed), ...variables },
        stdio: ["ignore", "pipe", "pipe"],
        signal: deadline,
        killSignal: "SIGKILL",
      }),
    );
    if ("problem" in child) return resolve({ ok: false, why: `${program} cannot be started (${child.problem})` });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(0, outputCharactersMax);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-outputCharactersMax);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.name !== "AbortError") resolve({ ok: false, why: missing(program, error) });
      else if (signal.aborted) resolve({ ok: false, why: "it was interrupted" });
      else resolve({ ok: false, why: `${program} did not finish within ${timeoutMs / 60_000} minutes` });
    });
    child.on("close", (exitCode) => {
      if (exitCode === 0) resolve({ ok: true, output });
      else resolve({ ok: false, why: `${program} failed: ${lastLine(errors) || `exit code ${exitCode}`}` });
    });
  }).finally(() => tie.close());
}

function missing(program: string, { code, message }: NodeJS.ErrnoException): string {
  return code === "ENOENT" ? `${program} is not on the PATH` : `${program} cannot be started (${message})`;
}

/** What git and npm say of the cause stands before their advice. */
function lastLine(errors: string): string {
  const lines = errors.split("\n").map((line) => line.trim());
  const cause = lines.find((line) => /^(?:fatal|error|ERROR|npm (?:error|ERR!) (?!code|A complete))/.test(line));
  return (cause ?? lines.findLast((line) => line !== "") ?? "").slice(0, shownMax);
}
