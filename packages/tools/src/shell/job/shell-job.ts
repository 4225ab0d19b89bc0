/** Makes runs of the shell into runs that the jobs of a session can take. */
import type { Artifact, JobEnd, JobRun, JobStart } from "@kedge/protocol";
import type { ShellEnd, ShellGraces, ShellRun, ShellStart } from "../process/shell-command.ts";
import { outputBytesMax, startShell } from "../process/shell-process.ts";

export type ShellJob = {
  readonly run: ShellRun;
  readonly command: string;
  readonly mark: string;
  readonly ranMs: number;
  readonly openArtifact: () => Artifact;
};

/** Of a command that runs in front of the model until now. */
export function jobOfRun({ run, command, mark, ranMs, openArtifact }: ShellJob): JobRun {
  return {
    command,
    ranMs,
    mark,
    openArtifact,
    attach: (onOutput) => run.detach(onOutput),
    over: run.over.then(describeJobEnd),
    stop: () => run.stop(),
  };
}

/** Starts a command that nobody waits for. */
export function startShellJob(
  job: JobStart,
  { mark, graces, start }: { readonly mark: string; readonly graces: ShellGraces; readonly start?: ShellStart },
): JobRun {
  const { shellPath, command, cwd, environment } = job;
  // Whoever takes the job listens from the first output on and ends it by `stop`.
  const until = { signal: new AbortController().signal, onOutput: () => undefined };
  const confined = start === undefined ? {} : { start };
  const shell = { shellPath, command, cwd, environment, mark, graces, ...until, ...confined };
  const run = startShell({ ...shell, outlivesShell: true });
  return jobOfRun({ run, command, mark, ranMs: 0, openArtifact: () => job.artifact });
}

const printedTooMuch = `\n[The job printed more than ${outputBytesMax / 1_024 / 1_024} MB and was ended.]\n`;

const notesOfShortage = {
  command: "\n[The job ran out of memory and was ended by the system.]\n",
  process: "\n[A process ran out of memory and was ended by the system while the job ran.]\n",
} as const;

function describeJobEnd(end: ShellEnd): JobEnd {
  if (end.kind === "not-started") return { status: "failed", note: `${end.problem}\n` };
  switch (end.stoppedBy) {
    case "nothing": {
      const exit = end.exitCode === null ? {} : { exitCode: end.exitCode };
      const note = end.shortage === undefined ? {} : { note: notesOfShortage[end.shortage] };
      return { status: end.exitCode === 0 ? "completed" : "failed", ...exit, ...note };
    }
    case "output":
      return { status: "failed", note: printedTooMuch };
    case "timeout":
    case "abort":
      return { status: "cancelled" };
  }
}
