/** The background jobs of one session: started here, read piece by piece, and ended with the session. */
import { createHash } from "node:crypto";
import type { Job, JobStart, Jobs } from "@kedge/protocol";
import { killMarked } from "./marked-processes.ts";
import { createOutputLines } from "./output-lines.ts";
import { runShell, type ShellEnd } from "./shell-process.ts";

export type JobsOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number;
};

const runningJobsMax = 20;
const graceMsDefault = 3_000;
const killMs = 500;
/** How long a job that is over stays in the list. */
const endedListedMs = 5 * 60_000;
/** What is kept for the next look; all of it lies in the artifact. */
const unreadCharactersMax = 100_000;

type Entry = {
  readonly job: JobStart;
  readonly mark: string;
  readonly controller: AbortController;
  readonly startedAtMs: number;
  over: Promise<void>;
  flush: () => void;
  status: Job["status"];
  endedAtMs: number | undefined;
  exitCode: number | undefined;
  unread: string;
  forgottenCharacters: number;
  isTold: boolean;
};

export function createJobs({ now, graceMs = graceMsDefault }: JobsOptions): Jobs {
  const entries = new Map<string, Entry>();
  const graces = { timeoutMs: graceMs, abortMs: graceMs, drainMs: 0, killMs };
  let isClosed = false;

  function view(jobId: string, entry: Entry): Job {
    const { job, status, exitCode, startedAtMs } = entry;
    const durationMs = (entry.endedAtMs ?? now()) - startedAtMs;
    const exit = exitCode === undefined ? {} : { exitCode };
    return { jobId, command: job.command, status, ...exit, startedAtMs, durationMs, artifact: job.artifact.number };
  }

  function begin(job: JobStart): Entry {
    const startedAtMs = now();
    const entry: Entry = {
      job,
      mark: createHash("sha256").update(`${process.pid} ${startedAtMs} ${job.artifact.path}`).digest("hex"),
      controller: new AbortController(),
      startedAtMs,
      over: Promise.resolve(),
      flush: () => undefined,
      status: "running",
      endedAtMs: undefined,
      exitCode: undefined,
      unread: "",
      forgottenCharacters: 0,
      isTold: false,
    };
    const lines = createOutputLines({ onText: (shown, full) => keep(entry, shown, full) });
    entry.flush = lines.flush;
    const { shellPath, command, cwd, environment } = job;
    entry.over = runShell({
      shellPath,
      command,
      cwd,
      environment,
      mark: entry.mark,
      signal: entry.controller.signal,
      onOutput: lines.write,
      outlivesShell: true,
      graces,
    }).then((end) => {
      lines.flush();
      finish(entry, end);
      entry.endedAtMs = now();
    });
    return entry;
  }

  async function kill(entry: Entry): Promise<void> {
    entry.controller.abort();
    await entry.over;
    // A job may have left processes behind when it ended.
    killMarked(new Set([entry.mark]));
  }

  return {
    start(job) {
      if (isClosed) return { ok: false, problem: "The session is ending; no job can be started any more." };
      const running = [...entries.values()].filter(({ status }) => status === "running").length;
      if (running >= runningJobsMax) {
        return { ok: false, problem: `${running} jobs are running already; end one with bash_kill first.` };
      }
      const jobId = `job_${entries.size + 1}`;
      const entry = begin(job);
      entries.set(jobId, entry);
      return { ok: true, job: view(jobId, entry) };
    },
    find(jobId) {
      const entry = entries.get(jobId);
      return entry === undefined ? undefined : view(jobId, entry);
    },
    list: () =>
      [...entries]
        .filter(([, { endedAtMs }]) => endedAtMs === undefined || now() - endedAtMs < endedListedMs)
        .map(([jobId, entry]) => view(jobId, entry)),
    takeOutput(jobId) {
      const entry = entries.get(jobId);
      if (entry === undefined) return "";
      entry.flush();
      forgetOldest(entry);
      const { unread, forgottenCharacters, job } = entry;
      entry.unread = "";
      entry.forgottenCharacters = 0;
      if (entry.status !== "running") entry.isTold = true;
      if (forgottenCharacters === 0) return unread;
      return `[… ${forgottenCharacters} characters left out; all is in artifact://${job.artifact.number} …]\n${unread}`;
    },
    async kill(jobId) {
      const entry = entries.get(jobId);
      if (entry === undefined) return;
      entry.isTold = true;
      await kill(entry);
    },
    takeEnded() {
      const ended = [...entries].filter(([, { status, isTold }]) => status !== "running" && !isTold);
      for (const [, entry] of ended) entry.isTold = true;
      return ended.map(([jobId, entry]) => view(jobId, entry));
    },
    async close() {
      isClosed = true;
      const all = [...entries.values()];
      for (const { controller } of all) controller.abort();
      await Promise.all(all.map(({ over }) => over));
      if (all.length > 0) killMarked(new Set(all.map(({ mark }) => mark)));
    },
  };
}

function keep(entry: Entry, shown: string, full: string): void {
  keepInArtifact(entry, () => entry.job.artifact.write(full));
  entry.unread += shown;
  // Now and then only: cutting copies all of it.
  if (entry.unread.length > 2 * unreadCharactersMax) forgetOldest(entry);
}

function forgetOldest(entry: Entry): void {
  const kept = entry.unread.slice(-unreadCharactersMax).toWellFormed();
  entry.forgottenCharacters += entry.unread.length - kept.length;
  entry.unread = kept;
}

function finish(entry: Entry, end: ShellEnd): void {
  if (end.kind === "not-started") {
    keep(entry, `${end.problem}\n`, `${end.problem}\n`);
    entry.status = "failed";
  } else if (end.stoppedBy === "nothing") {
    if (end.exitCode !== null) entry.exitCode = end.exitCode;
    entry.status = end.exitCode === 0 ? "completed" : "failed";
  } else {
    const note = "\n[The job printed more than 50 MB and was ended.]\n";
    if (end.stoppedBy === "output") keep(entry, note, note);
    entry.status = "killed";
  }
  keepInArtifact(entry, () => entry.job.artifact.close());
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
