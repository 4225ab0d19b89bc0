/** One background job: what it has printed that nobody has seen, and how it ended. */
import type { Artifact, Job, JobEnd, JobRun, Redactor } from "@kedge/protocol";
import { createOutputLines } from "../output/output-lines.ts";

export type JobEntryOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Takes secrets out of what jobs print. */
  readonly redactor?: Redactor;
};

/** What is kept for the next look; all of it lies in the artifact. */
const unreadCharactersMax = 100_000;

export type JobEntry = {
  readonly run: JobRun;
  readonly artifact: Artifact;
  readonly startedAtMs: number;
  over: Promise<void>;
  flush: () => void;
  status: Job["status"];
  endedAtMs: number | undefined;
  exitCode: number | undefined;
  unread: string;
  forgottenCharacters: number;
  isTold: boolean;
  /** How many wait for its end. */
  watchers: number;
};

export function beginJob(run: JobRun, { now, redactor }: JobEntryOptions): JobEntry {
  const entry: JobEntry = {
    run,
    artifact: run.openArtifact(),
    startedAtMs: now() - run.ranMs,
    over: Promise.resolve(),
    flush: () => undefined,
    status: "running",
    endedAtMs: undefined,
    exitCode: undefined,
    unread: "",
    forgottenCharacters: 0,
    isTold: false,
    watchers: 0,
  };
  const lines = createOutputLines({ redactor, onText: (shown, full) => keep(entry, shown, full) });
  entry.flush = lines.flush;
  run.attach(lines.write);
  entry.over = run.over.then((end) => {
    lines.end();
    finish(entry, end);
    entry.endedAtMs = now();
  });
  return entry;
}

export function viewJob(jobId: string, entry: JobEntry, nowMs: number): Job {
  const { run, status, exitCode, startedAtMs } = entry;
  const durationMs = (entry.endedAtMs ?? nowMs) - startedAtMs;
  const exit = exitCode === undefined ? {} : { exitCode };
  return { jobId, command: run.command, status, ...exit, startedAtMs, durationMs, artifact: entry.artifact.number };
}

/** What it printed since the last look. */
export function takeUnread(entry: JobEntry): string {
  entry.flush();
  forgetOldest(entry);
  const { unread, forgottenCharacters, artifact } = entry;
  entry.unread = "";
  entry.forgottenCharacters = 0;
  if (entry.status !== "running") entry.isTold = true;
  if (forgottenCharacters === 0) return unread;
  return `[… ${forgottenCharacters} characters left out; all is in artifact://${artifact.number} …]\n${unread}`;
}

function keep(entry: JobEntry, shown: string, full: string): void {
  keepInArtifact(entry, () => entry.artifact.write(full));
  entry.unread += shown;
  // Now and then only: cutting copies all of it.
  if (entry.unread.length > 2 * unreadCharactersMax) forgetOldest(entry);
}

function forgetOldest(entry: JobEntry): void {
  const kept = entry.unread.slice(-unreadCharactersMax).toWellFormed();
  entry.forgottenCharacters += entry.unread.length - kept.length;
  entry.unread = kept;
}

function finish(entry: JobEntry, { status, exitCode, note }: JobEnd): void {
  if (note !== undefined) keep(entry, note, note);
  entry.exitCode = exitCode;
  entry.status = status;
  keepInArtifact(entry, () => entry.artifact.close());
}

/** A full disk must not end the job; whoever reads its output is told once. */
function keepInArtifact(entry: JobEntry, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const note = `[The output could not be stored: ${error.message}]\n`;
    if (!entry.unread.includes(note)) entry.unread += note;
  }
}
