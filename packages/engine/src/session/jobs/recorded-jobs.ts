/** The jobs of one session, with their starts and ends in its journal, and those told once that died with an earlier process. */
import type { Job, JobStarted, Jobs, SessionState } from "@kedge/protocol";
import type { Journal } from "../../journal.ts";
import { lostJob } from "./lost-jobs.ts";
import { numberJobsAfter } from "./numbered-jobs.ts";

/** Whatever the journal knows as running at this moment was started by an earlier process and ended with it. */
export function recordJobs(own: Jobs, journal: Journal): Jobs {
  const jobs = numberJobsAfter(journal.state, own);
  const running = new Set<string>();
  let untold = [...journal.state.jobs.values()].map(lostJob);
  if (untold.length > 0) {
    const ended = untold.map(({ jobId }) => ({ type: "job.ended", jobId, status: "lost" }) as const);
    // Whoever emits next learns that the journal is broken.
    journal.emit(...ended).catch(() => undefined);
  }

  function began(started: JobStarted): JobStarted {
    if (!started.ok) return started;
    const { jobId, command } = started.job;
    running.add(jobId);
    const callId = callAtWork(journal.state);
    // The job itself goes on even if this fails, as its call is recorded.
    journal.emit({ type: "job.started", jobId, callId, command }).catch(() => undefined);
    return started;
  }

  /** Looked for whenever somebody asks: before that nobody could have acted on it. */
  async function recordEnds(): Promise<void> {
    const ended = [...running].flatMap((jobId) => {
      const status = jobs.find(jobId)?.status ?? "completed";
      return status === "running" ? [] : [{ type: "job.ended", jobId, status } as const];
    });
    if (ended.length === 0) return;
    for (const { jobId } of ended) running.delete(jobId);
    await journal.emit(...ended).catch(() => undefined);
  }

  return {
    start: (job) => began(jobs.start(job)),
    adopt: (run) => began(jobs.adopt(run)),
    find: (jobId) => jobs.find(jobId),
    list: () => jobs.list(),
    takeOutput: (jobId) => jobs.takeOutput(jobId),
    async waitForEnd(jobIds, signal) {
      await jobs.waitForEnd(jobIds, signal);
      await recordEnds();
    },
    async kill(jobId) {
      await jobs.kill(jobId);
      await recordEnds();
    },
    takeEnded() {
      const told = untold;
      untold = [];
      if (told.length > 0) tellUser(journal, told);
      void recordEnds();
      return [...told, ...jobs.takeEnded()];
    },
    async close() {
      await jobs.close();
      await recordEnds();
    },
    watch: (mark) => jobs.watch(mark),
  };
}

/** The newest call that is at work: a job is started by a call, and those that start jobs run one at a time. */
function callAtWork({ calls }: SessionState): string {
  const open = [...calls.values()].filter(({ started, result }) => started && result === undefined);
  return open.at(-1)?.callId ?? "";
}

function tellUser(journal: Journal, lost: readonly Job[]): void {
  const names = lost.map(({ command }) => command.split("\n", 1)[0] ?? "").join(", ");
  const what = lost.length === 1 ? "A background job" : `${lost.length} background jobs`;
  const text = `${what} from this session stopped when kedge exited: ${names}`;
  journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
}
