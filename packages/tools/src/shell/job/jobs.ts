/** The background jobs of one session: started or taken over here, read piece by piece, and ended with the session. */
import { createHash } from "node:crypto";
import type { Job, JobRun, Jobs } from "@kedge/protocol";
import { killMarked } from "../process/marked-processes.ts";
import { beginJob, type JobEntry, type JobEntryOptions, takeUnread, viewJob } from "./job-entry.ts";
import { startShellJob } from "./shell-job.ts";

export type JobsOptions = JobEntryOptions & {
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number;
  /** How many may run at a time; the usual number if left out. */
  readonly max?: number;
};

const runningJobsMaxDefault = 20;
const runningJobsMaxLimit = 100;
const graceMsDefault = 3_000;
const killMs = 500;
/** How long a job that is over stays in the list. */
const endedListedMs = 5 * 60_000;

export function createJobs(options: JobsOptions): Jobs {
  const { now, graceMs = graceMsDefault } = options;
  const runningMax = Math.min(options.max ?? runningJobsMaxDefault, runningJobsMaxLimit);
  const graces = { timeoutMs: graceMs, abortMs: graceMs, drainMs: 0, killMs };
  const entries = new Map<string, JobEntry>();
  /** Those of forgotten jobs too: what they left behind ends with the session. */
  const marks = new Set<string>();
  let taken = 0;
  let isClosed = false;

  const view = (jobId: string, entry: JobEntry) => viewJob(jobId, entry, now());

  const isListed = ({ endedAtMs }: JobEntry) => endedAtMs === undefined || now() - endedAtMs < endedListedMs;

  function refusal(): string | undefined {
    if (isClosed) return "The session is ending; no job can be started any more.";
    const running = [...entries.values()].filter(({ status }) => status === "running").length;
    return running < runningMax ? undefined : `${running} jobs are running already; end one with bash_kill first.`;
  }

  function take(run: JobRun): Job {
    for (const [jobId, entry] of entries) if (entry.isTold && !isListed(entry)) entries.delete(jobId);
    taken += 1;
    const jobId = `job_${taken}`;
    const entry = beginJob(run, options);
    entries.set(jobId, entry);
    if (run.mark !== undefined) marks.add(run.mark);
    return view(jobId, entry);
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
