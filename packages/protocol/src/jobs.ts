/** Words of background jobs: work that runs on after the call that started it, until its session ends. */
import type { Artifact } from "./contracts/artifacts.ts";

/** Work that runs on after the call that started it. */
export type Job = {
  readonly jobId: string;
  readonly command: string;
  readonly status: "running" | JobEnd["status"];
  readonly exitCode?: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Where all of its output lies. */
  readonly artifact: number;
  /** It ended with the process that had started it; nothing more is known of it. */
  readonly isLost?: true;
};

export type JobStart = {
  readonly command: string;
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string };
  readonly shellPath: string;
  readonly artifact: Artifact;
};

/** Work of any kind that runs already and becomes a job. */
export type JobRun = {
  /** What runs, in words that the model knows it by. */
  readonly command: string;
  readonly ranMs: number;
  /** Called once, when the job is taken: gives the artifact with all of the output until then. */
  openArtifact(): Artifact;
  /** Called once, right after that: output goes here from now on, and nothing but `stop` ends the work. */
  attach(onOutput: (chunk: string, stream: "stdout" | "stderr") => void): void;
  readonly over: Promise<JobEnd>;
  stop(): void;
  /** A word by which processes are found that it left behind. */
  readonly mark?: string;
};

export type JobEnd = {
  readonly status: "completed" | "failed" | "cancelled";
  readonly exitCode?: number;
  /** Put after its output. */
  readonly note?: string;
};

export type JobStarted = { readonly ok: true; readonly job: Job } | { readonly ok: false; readonly problem: string };

/** The jobs of one session. They end with it. */
export interface Jobs {
  start(job: JobStart): JobStarted;
  /** Nothing of the run is touched when it is refused. */
  adopt(run: JobRun): JobStarted;
  find(jobId: string): Job | undefined;
  list(): readonly Job[];
  /** What came since the last time this was asked. Whoever asks knows that the job is over, if it is. */
  takeOutput(jobId: string): string;
  /**
   * Resolves when one of them is over or the signal is aborted. Until then none of them is among `takeEnded`, and
   * those that are over by then never will be: whoever waits is told.
   */
  waitForEnd(jobIds: readonly string[], signal: AbortSignal): Promise<void>;
  /** Resolves when the job is over. */
  kill(jobId: string): Promise<void>;
  /** Jobs that ended and that nobody was told of yet. */
  takeEnded(): readonly Job[];
  /** Kills all of them. */
  close(): Promise<void>;
  /** What a command left behind ends with the session, found by this mark in its environment. */
  watch(mark: string): void;
}

/** A job is always told to the model in the result of the call that started it. */
export function jobsNamedIn(output: string): readonly string[] {
  return output.match(/\bjob_\d+\b/g) ?? [];
}
