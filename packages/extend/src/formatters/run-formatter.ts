/** Runs one formatter on one file: no shell, a time limit, and an end for everything it started. */
import { spawn } from "node:child_process";
import { attemptStart, endGroup, tiedStart } from "@kedge/protocol";

export type FormatterRun = {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Without secrets; ties what is started to this kedge. */
  readonly environment: { readonly [name: string]: string };
  readonly timeoutMs: number;
};

const errorCharactersMax = 300;

/** A line for the model where the formatter did not do its work; undefined where it did. */
export function runFormatter(run: FormatterRun, signal: AbortSignal): Promise<string | undefined> {
  const { name, cwd, environment, timeoutMs } = run;
  const failed = (why: string) => `${name} did not format the file: ${why}. The file is unchanged.`;
  if (signal.aborted) return Promise.resolve(failed("it was interrupted"));
  const { file, args } = tiedStart({ file: run.file, args: run.args }, environment);
  return new Promise((resolve) => {
    const child = attemptStart(() =>
      // A group of its own, so that nothing of it outlives its time.
      spawn(file, [...args], { cwd, env: environment, stdio: ["ignore", "ignore", "pipe"], detached: true }),
    );
    if ("problem" in child) return resolve(failed(`it could not be started (${child.problem})`));
    let ended: string | undefined;
    let said = "";
    const end = (why: string) => {
      ended ??= why;
      endGroup(child.pid);
    };
    const onAbort = () => end("it was interrupted");
    const timer = setTimeout(() => end(`it took longer than ${timeoutMs / 1_000} s`), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (line: string | undefined) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(line);
    };
    child.stderr.on("data", (piece: Buffer) => {
      if (said.length < errorCharactersMax) said += piece.toString();
    });
    child.on("error", ({ message }) => settle(failed(`it could not be started (${message})`)));
    // What it left running may hold the pipe open, and nobody waits for that.
    child.on("exit", (code, killedBy) => {
      endGroup(child.pid);
      if (ended !== undefined) settle(failed(ended));
      else settle(code === 0 ? undefined : failed(`${firstLine(said)}${killedBy ?? `exit code ${code}`}`));
    });
  });
}

function firstLine(said: string): string {
  const line = said.trim().split("\n", 1)[0]?.slice(0, errorCharactersMax).trim() ?? "";
  return line === "" ? "" : `${line}, `;
}
