/** Words of background jobs: commands that run on after the call that started them, until their session ends. */
import type { Artifact } from "./tool.ts";

/** A command that runs on after the call that started it. */
export type Job = {
  readonly jobId: string;
  readonly command: string;
  readonly status: "running" | "completed" | "failed" | "killed";
  readonly exitCode?: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Where all of its output lies. */
  readonly artifact: number;
};

export type JobStart = {
  readonly command: string;
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string };
  readonly shellPath: string;
  readonly artifact: Artifact;
};

/** The jobs of one session. They end with it. */
export interface Jobs {
  start(job: JobStart): { readonly ok: true; readonly job: Job } | { readonly ok: false; readonly problem: string };
  find(jobId: string): Job | undefined;
  list(): readonly Job[];
  /** What came since the last time this was asked. */
  takeOutput(jobId: string): string;
  /** Resolves when the job is over. */
  kill(jobId: string): Promise<void>;
  /** Jobs that ended and that nobody was told of yet. */
  takeEnded(): readonly Job[];
  /** Kills all of them. */
  close(): Promise<void>;
}
