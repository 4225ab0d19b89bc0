/** The background jobs of one session: started or taken over here, read piece by piece, and ended with the session. */
import { createHash } from "node:crypto";
import type { Artifact, Job, JobEnd, JobRun, Jobs, Redactor } from "@kedge/protocol";
import { createOutputLines } from "../output/output-lines.ts";
import { killMarked } from "../process/marked-processes.ts";
import { startShellJob } from "./shell-job.ts";

export type JobsOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number;
  /** How many may run at a time; the usual number if left out. */
  readonly max?: number;
  /** Takes secrets out of what they print. */
  readonly redactor?: Redactor;
};

export const runningJobsMaxDefault = 20;
export const runningJobsMaxLimit = 100;
const graceMsDefault = 3_000;
const killMs = 500;
/** How long a job that is over stays in the list. */
const endedListedMs = 5 * 60_000;
/** What is kept for the next look; all of it lies in the artifact. */
const unreadCharactersMax = 100_000;

type Entry = {
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

export function createJobs(options: JobsOptions): Jobs {
  const { now, graceMs = graceMsDefault } = options;
  const runningMax = Math.min(options.max ?? runningJobsMaxDefault, runningJobsMaxLimit);
  const graces = { timeoutMs: graceMs, abortMs: graceMs, drainMs: 0, killMs };
  const entries = new Map<string, Entry>();
  /** Those of forgotten jobs too: what they left behind ends with the session. */
  const marks = new Set<string>();
  let taken = 0;
  let isClosed = false;

  function view(jobId: string, entry: Entry): Job {
    const { run, status, exitCode, startedAtMs } = entry;
    const durationMs = (entry.endedAtMs ?? now()) - startedAtMs;
    const exit = exitCode === undefined ? {} : { exitCode };
    return { jobId, command: run.command, status, ...exit, startedAtMs, durationMs, artifact: entry.artifact.number };
  }

  const isListed = ({ endedAtMs }: Entry) => endedAtMs === undefined || now() - endedAtMs < endedListedMs;

  function refusal(): string | undefined {
    if (isClosed) return "The session is ending; no job can be started any more.";
    const running = [...entries.values()].filter(({ status }) => status === "running").length;
    return running < runningMax ? undefined : `${running} jobs are running already; end one with bash_kill first.`;
  }

  function take(run: JobRun): Job {
    for (const [jobId, entry] of entries) if (entry.isTold && !isListed(entry)) entries.delete(jobId);
    taken += 1;
    const jobId = `job_${taken}`;
    const entry = begin(run);
    entries.set(jobId, entry);
    if (run.mark !== undefined) marks.add(run.mark);
    return view(jobId, entry);
  }

  function begin(run: JobRun): Entry {
    const entry: Entry = {
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
    const lines = createOutputLines({ redactor: options.redactor, onText: (shown, full) => keep(entry, shown, full) });
    entry.flush = lines.flush;
    run.attach(lines.write);
    entry.over = run.over.then((end) => {
      lines.end();
      finish(entry, end);
      entry.endedAtMs = now();
    });
    return entry;
  }

  return {
    start(job) {
      const problem = refusal();
      if (problem !== undefined) return { ok: false, problem };
      const mark = createHash("sha256").update(`${process.pid} ${now()} ${job.artifact.path}`).digest("hex");
      return { ok: true, job: take(startShellJob(job, { mark, graces })) };
    },
    adopt(run) {
      const problem = refusal();
      return problem === undefined ? { ok: true, job: take(run) } : { ok: false, problem };
    },
    find(jobId) {
      const entry = entries.get(jobId);
      return entry === undefined ? undefined : view(jobId, entry);
    },
    list: () => [...entries].filter(([, entry]) => isListed(entry)).map(([jobId, entry]) => view(jobId, entry)),
    takeOutput(jobId) {
      const entry = entries.get(jobId);
      return entry === undefined ? "" : takeUnread(entry);
    },
    async waitForEnd(jobIds, signal) {
      const watched = jobIds.flatMap((jobId) => entries.get(jobId) ?? []);
      if (signal.aborted || watched.some(({ status }) => status !== "running")) return;
      for (const entry of watched) entry.watchers += 1;
      const aborted = Promise.withResolvers<void>();
      const onAbort = () => aborted.resolve();
      signal.addEventListener("abort", onAbort, { once: true });
      await Promise.race([aborted.promise, ...watched.map(({ over }) => over)]);
      signal.removeEventListener("abort", onAbort);
      for (const entry of watched) {
        entry.watchers -= 1;
        if (entry.status !== "running") entry.isTold = true;
      }
    },
    async kill(jobId) {
      const entry = entries.get(jobId);
      if (entry === undefined) return;
      entry.isTold = true;
      entry.run.stop();
      await entry.over;
      // A job may have left processes behind when it ended.
      if (entry.run.mark !== undefined) killMarked(new Set([entry.run.mark]));
    },
    takeEnded() {
      const ended = [...entries].filter(([, { status, isTold, watchers }]) => {
        return status !== "running" && !isTold && watchers === 0;
      });
      for (const [, entry] of ended) entry.isTold = true;
      return ended.map(([jobId, entry]) => view(jobId, entry));
    },
    watch(mark) {
      marks.add(mark);
    },
    async close() {
      isClosed = true;
      const all = [...entries.values()];
      for (const { run } of all) run.stop();
      await Promise.all(all.map(({ over }) => over));
      if (marks.size > 0) killMarked(marks);
    },
  };
}

function takeUnread(entry: Entry): string {
  entry.flush();
  forgetOldest(entry);
  const { unread, forgottenCharacters, artifact } = entry;
  entry.unread = "";
  entry.forgottenCharacters = 0;
  if (entry.status !== "running") entry.isTold = true;
  if (forgottenCharacters === 0) return unread;
  return `[… ${forgottenCharacters} characters left out; all is in artifact://${artifact.number} …]\n${unread}`;
}

function keep(entry: Entry, shown: string, full: string): void {
  keepInArtifact(entry, () => entry.artifact.write(full));
  entry.unread += shown;
  // Now and then only: cutting copies all of it.
  if (entry.unread.length > 2 * unreadCharactersMax) forgetOldest(entry);
}

function forgetOldest(entry: Entry): void {
  const kept = entry.unread.slice(-unreadCharactersMax).toWellFormed();
  entry.forgottenCharacters += entry.unread.length - kept.length;
  entry.unread = kept;
}

function finish(entry: Entry, { status, exitCode, note }: JobEnd): void {
  if (note !== undefined) keep(entry, note, note);
  entry.exitCode = exitCode;
  entry.status = status;
  keepInArtifact(entry, () => entry.artifact.close());
}

/** A full disk must not end the job; whoever reads its output is told once. */
function keepInArtifact(entry: Entry, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const note = `[The output could not be stored: ${error.message}]\n`;
    if (!entry.unread.includes(note)) entry.unread += note;
  }
}
