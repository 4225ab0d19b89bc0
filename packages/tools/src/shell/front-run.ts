/** Runs a command that the model waits for, and lets go of it when it takes too long, if that is wanted. */
import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { Artifact, Job, ToolContext } from "@kedge/protocol";
import type { BashSettings } from "./bash-settings.ts";
import { jobOfRun } from "./job/shell-job.ts";
import type { ShellCommand, ShellEnd, ShellRun } from "./process/shell-command.ts";
import { startShell } from "./process/shell-process.ts";

export type FrontEnd = ShellEnd | { readonly kind: "moved"; readonly job: Job };

/** When a command that still runs becomes a job. */
export type Moving = { readonly afterMs?: number; readonly atTimeout: boolean };

const marginMs = 1_000;
const copyBytes = 65_536;

export function movingOf(
  settings: BashSettings,
  timeoutMs: number,
  options: { readonly isInteractive: boolean },
): Moving {
  const { enabled, thresholdMs } = settings.autoBackground;
  const atTimeout = settings.timeoutAction === "background" && options.isInteractive;
  // A time of a second or two leaves no margin.
  const latestMs = Math.max(timeoutMs - marginMs, timeoutMs / 2);
  return enabled ? { afterMs: Math.min(thresholdMs, latestMs), atTimeout } : { atTimeout };
}

export type FrontRun = {
  readonly shell: ShellCommand & { readonly timeoutMs: number };
  readonly moving: Moving;
  readonly context: ToolContext;
  readonly now: () => number;
};

export async function runInFront({ shell, moving, context, now }: FrontRun): Promise<FrontEnd> {
  const startedMs = now();
  const moved = Promise.withResolvers<FrontEnd>();
  const move = (): boolean => {
    const job = moveToJobs({ run, shell, context, ranMs: now() - startedMs });
    if (job !== undefined) moved.resolve({ kind: "moved", job });
    return job !== undefined;
  };
  const run = startShell(moving.atTimeout ? { ...shell, onTimeout: move } : shell);
  const timer = moving.afterMs === undefined ? undefined : setTimeout(move, moving.afterMs);
  const end = await Promise.race([run.over, moved.promise]);
  clearTimeout(timer);
  return end;
}

type Move = Pick<FrontRun, "shell" | "context"> & { readonly run: ShellRun; readonly ranMs: number };

/** Undefined when it stays where it is: because it is ending, or because no job can be had. */
function moveToJobs({ run, shell, context, ranMs }: Move): Job | undefined {
  if (!run.isRunning()) return undefined;
  const { command, mark } = shell;
  const openArtifact = () => openWithOutput(context);
  try {
    const taken = context.jobs.adopt(jobOfRun({ run, command, mark, ranMs, openArtifact }));
    return taken.ok ? taken.job : undefined;
  } catch (error) {
    // A full disk: without a place for its output it cannot be a job.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** A new artifact with all that the command printed until now. */
function openWithOutput({ sink, artifacts }: ToolContext): Artifact {
  const { output, truncated, artifactId } = sink.dump();
  const artifact = artifacts.create("bash");
  const wholePath = truncated && artifactId !== undefined ? artifacts.pathOf(artifactId) : undefined;
  if (wholePath === undefined) artifact.write(output);
  else copyText(wholePath, artifact);
  return artifact;
}

function copyText(path: string, artifact: Artifact): void {
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.alloc(copyBytes);
  const descriptor = openSync(path, "r");
  try {
    for (let count = readSync(descriptor, buffer); count > 0; count = readSync(descriptor, buffer))
      artifact.write(decoder.write(buffer.subarray(0, count)));
  } finally {
    closeSync(descriptor);
  }
}
