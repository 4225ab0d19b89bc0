/** Runs the commands of terminals that panes are made with. */
import { execFile } from "node:child_process";
import type { RunProgram } from "@kedge/agents/teams";

const timeoutMs = 10_000;

export function runPaneProgram(environment: { readonly [name: string]: string | undefined }): RunProgram {
  // `TMUX` as the user's terminal set it: nothing of kedge's own changes where panes appear.
  const env = { ...environment };
  return ([program = "", ...rest]) =>
    new Promise((resolve) => {
      execFile(program, rest, { env, timeout: timeoutMs, maxBuffer: 1 << 20 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127;
        resolve({ code, stdout, stderr: stderr === "" && error !== null ? error.message : stderr });
      });
    });
}
