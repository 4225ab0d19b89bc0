/** The background jobs of one session: started here, read piece by piece, and ended with the session. */
import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { Artifact, Job, JobStart, Jobs } from "@kedge/protocol";

export type JobsOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number;
};

const runningJobsMax = 20;
const graceMsDefault = 3_000;
/** What is kept for the next look; all of it lies in the artifact. */
const unreadCharactersMax = 100_000;

type Entry = {
  readonly child: ChildProcess;
  readonly artifact: Artifact;
  readonly command: string;
  readonly startedAtMs: number;
  readonly over: Promise<void>;
  status: Job["status"];
  endedAtMs: number | undefined;
  exitCode: number | undefined;
  unread: string;
  isTold: boolean;
  wasKilled: boolean;
};

export function createJobs({ now, graceMs = graceMsDefault }: JobsOptions): Jobs {
  const entries = new Map<string, Entry>();
  let started = 0;

  function view(jobId: string, entry: Entry): Job {
    const { command, status, exitCode, startedAtMs, artifact } = entry;
    const durationMs = (entry.endedAtMs ?? now()) - startedAtMs;
    const exit = exitCode === undefined ? {} : { exitCode };
    return { jobId, command, status, ...exit, startedAtMs, durationMs, artifact: artifact.number };
  }

  function watch(child: ChildProcess, job: JobStart): Entry {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const entry: Entry = {
      child,
      artifact: job.artifact,
      command: job.command,
      startedAtMs: now(),
      over,
      status: "running",
      endedAtMs: undefined,
      exitCode: undefined,
      unread: "",
      isTold: false,
      wasKilled: false,
    };
    const take = (text: string) => {
      if (text === "") return;
      job.artifact.write(text);
      entry.unread = (entry.unread + text).slice(-unreadCharactersMax);
    };
    for (const pipe of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder("utf8");
      pipe?.on("data", (bytes: Buffer) => take(decoder.write(bytes)));
    }
    const end = (exitCode: number | null) => {
      if (entry.status !== "running") return;
      entry.status = entry.wasKilled ? "killed" : exitCode === 0 ? "completed" : "failed";
      if (exitCode !== null) entry.exitCode = exitCode;
      entry.endedAtMs = now();
      job.artifact.close();
      resolve();
    };
    child.once("error", (error) => {
      take(`The shell did not start: ${error.message}\n`);
      end(null);
    });
    child.once("close", end);
    return entry;
  }

  async function kill(entry: Entry): Promise<void> {
    if (entry.status !== "running") return;
    entry.wasKilled = true;
    signalGroup(entry.child, "SIGTERM");
    const timer = setTimeout(() => signalGroup(entry.child, "SIGKILL"), graceMs);
    await entry.over;
    clearTimeout(timer);
  }

  return {
    start(job) {
      const running = [...entries.values()].filter(({ status }) => status === "running").length;
      if (running >= runningJobsMax) {
        return { ok: false, problem: `${running} jobs are running already; end one with bash_kill first.` };
      }
      const child = spawn(job.shellPath, ["-c", job.command], {
        cwd: job.cwd,
        env: job.environment,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      started += 1;
      const jobId = `job_${started}`;
      const entry = watch(child, job);
      entries.set(jobId, entry);
      return { ok: true, job: view(jobId, entry) };
    },
    find(jobId) {
      const entry = entries.get(jobId);
      return entry === undefined ? undefined : view(jobId, entry);
    },
    list: () => [...entries].map(([jobId, entry]) => view(jobId, entry)),
    takeOutput(jobId) {
      const entry = entries.get(jobId);
      if (entry === undefined) return "";
      const { unread } = entry;
      entry.unread = "";
      if (entry.status !== "running") entry.isTold = true;
      return unread;
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
      await Promise.all([...entries.values()].map(kill));
    },
  };
}

function signalGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: nobody is left in the group. EPERM: what is left belongs to another user and is not ours to end.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}
