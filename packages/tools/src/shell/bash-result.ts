/** What the model and clients are told about a command: its output, what became of it, and where the rest lies. */
import type { Artifact, Job, JsonObject, OutputDump, ToolContext, ToolOutput } from "@kedge/protocol";
import type { MinimisedOutput } from "./output/minimise-output.ts";
import type { ShellEnd } from "./process/shell-command.ts";

export type ShellEnded = Extract<ShellEnd, { kind: "ended" }>;

export type EndedCommand = {
  readonly title: string;
  readonly end: ShellEnded;
  readonly timeoutSeconds: number;
  readonly durationMs: number;
  readonly dump: OutputDump;
  readonly streams: JsonObject;
  readonly shortened: Shortened | undefined;
  /** Sentences on what else happened, such as a new working directory. */
  readonly notes: readonly (string | undefined)[];
};

/** An output without its noise, and where all of it lies. */
export type Shortened = MinimisedOutput & { readonly artifactId: number };

export function describeEnded(ended: EndedCommand, context: ToolContext): ToolOutput {
  const { end, dump, shortened } = ended;
  const shown = shortened === undefined ? dump.output : shortened.text;
  const place = shortened === undefined ? describeArtifact(dump, context) : describeShortened(shortened);
  return {
    output: joinResult(shown, [place, ...ended.notes, describeEnd(end, ended.timeoutSeconds)]),
    // An exit code or a timeout is a result; a command that the user stopped is not one.
    ...(end.stoppedBy === "abort" && { isError: true }),
    title: ended.title,
    metadata: {
      exitCode: end.exitCode,
      signal: end.signal,
      durationMs: Math.round(ended.durationMs),
      timedOut: end.stoppedBy === "timeout",
      interrupted: end.stoppedBy === "abort",
      ...(end.shortage === "command" && { outOfMemory: true }),
      truncated: shortened === undefined && dump.truncated,
      ...ended.streams,
      ...(shortened === undefined
        ? { stderrRanges: dump.stderrRanges, ...describeCut(dump) }
        : { stderrRanges: [], shortenedLines: shortened.shortenedLines, originalArtifactId: shortened.artifactId }),
    },
  };
}

/** For a command that was a job from the start. */
export function describeStartedJob(job: Job, artifact: Artifact, title: string): ToolOutput {
  return {
    output: `Started as ${job.jobId}: ${job.command}\n${describeFollowing(job)} All output goes to artifact://${artifact.number} (${artifact.path}).`,
    title,
    metadata: { jobId: job.jobId, artifactId: artifact.number },
  };
}

/** For a command that became a job because it took too long. */
export function describeMovedJob(job: Job, dump: OutputDump, title: string): ToolOutput {
  const seconds = Math.round(job.durationMs / 1_000);
  const moved = `Still running after ${seconds} s; moved to the background as ${job.jobId}: ${job.command}`;
  const place = `All output, from its beginning, goes to artifact://${job.artifact}.`;
  return {
    output: joinResult(dump.output, [`${moved}\n${describeFollowing(job)} ${place}`]),
    title,
    metadata: { jobId: job.jobId, artifactId: job.artifact, moved: true, truncated: dump.truncated },
  };
}

function describeFollowing({ jobId }: Job): string {
  return `You will be notified when it ends. New output: bash_output {"jobID":"${jobId}"}; to end it: bash_kill {"jobID":"${jobId}"} (search the tools for "background jobs" if you do not have them).`;
}

function joinResult(output: string, notes: readonly (string | undefined)[]): string {
  const text = output === "" ? "(no output)" : output;
  const lines = notes.filter((note) => note !== undefined);
  if (lines.length === 0) return text;
  return `${text}${text.endsWith("\n") ? "" : "\n"}${lines.join("\n")}`;
}

function describeShortened({ shortenedLines, artifactId }: Shortened): string {
  return `(${shortenedLines} lines shortened; original: artifact://${artifactId})`;
}

function describeArtifact({ artifactId }: OutputDump, { artifacts }: ToolContext): string | undefined {
  if (artifactId === undefined) return undefined;
  const path = artifacts.pathOf(artifactId);
  const place = path === undefined ? "" : ` (${path})`;
  return `All output: artifact://${artifactId}${place}; read a part of it with filePath artifact://${artifactId}:100-200.`;
}

function describeCut({ cut, output, truncated, stderrRanges, ...counts }: OutputDump): JsonObject {
  return cut === undefined ? {} : { cut: { ...cut, ...counts } };
}

const outOfMemory =
  "Command ran out of memory and was ended by the system. Let it use less memory, or do the work in smaller parts.";
const processOutOfMemory = "A process ran out of memory and was ended by the system while the command ran.";

function describeEnd(end: ShellEnded, timeoutSeconds: number): string | undefined {
  switch (end.stoppedBy) {
    case "timeout":
      return `Command timed out after ${timeoutSeconds} s and was ended. Give it a longer timeout or background: true.`;
    case "abort":
      return "Command was interrupted by the user";
    case "output":
      return "Command printed more than 50 MB and was ended. Let it print less, or write into a file.";
    case "nothing":
      if (end.shortage === "command") return outOfMemory;
      if (end.shortage === "process")
        return [processOutOfMemory, describeExit(end)].filter((line) => line !== undefined).join("\n");
      return describeExit(end);
  }
}

function describeExit({ signal, exitCode }: ShellEnded): string | undefined {
  if (signal !== null) return `Command was ended by ${signal}`;
  return exitCode === 0 ? undefined : `Command exited with code ${exitCode}`;
}
