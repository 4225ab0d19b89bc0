/** Runs a program that only looks, and gives what it printed up to a limit. */
import { spawn } from "node:child_process";
import { attemptStart } from "@kedge/protocol";

export type LookingProcess = {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly outputBytesMax: number;
  readonly timeoutMs: number;
};

export type Looked =
  | { readonly ok: true; readonly output: Buffer; readonly exitCode: number; readonly isCut: boolean }
  | { readonly ok: false; readonly problem: string };

/** What exceeds the limit is not waited for: the process is ended, and what it printed so far counts. */
export function runLooking(process: LookingProcess): Promise<Looked> {
  return new Promise((resolve) => {
    const child = attemptStart(() =>
      spawn(process.program, process.arguments, {
        cwd: process.cwd,
        env: process.environment,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: process.timeoutMs,
        killSignal: "SIGKILL",
      }),
    );
    if ("problem" in child) return resolve({ ok: false, problem: child.problem });
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isCut = false;
    let error = "";
    child.stdout.on("data", (piece: Buffer) => {
      if (isCut) return;
      const room = process.outputBytesMax - bytes;
      pieces.push(piece.length > room ? piece.subarray(0, room) : piece);
      bytes += piece.length;
      if (piece.length <= room) return;
      isCut = true;
      child.kill("SIGKILL");
    });
    child.stderr.on("data", (piece: Buffer) => {
      if (error.length < errorCharactersMax) error += piece.toString();
    });
    child.on("error", ({ message }) => resolve({ ok: false, problem: message }));
    child.on("close", (exitCode, signal) => {
      if (exitCode !== null || isCut) {
        resolve({ ok: true, output: Buffer.concat(pieces), exitCode: exitCode ?? 0, isCut });
      } else {
        const firstLine = error.split("\n", 1)[0] ?? "";
        resolve({ ok: false, problem: firstLine === "" ? `it was killed by ${signal}` : firstLine });
      }
    });
  });
}

const errorCharactersMax = 2_000;
