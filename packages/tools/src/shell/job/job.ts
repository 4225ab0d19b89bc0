/** The `job` tool: waits for background jobs, cancels them, or lists them. */
import { setTimeout as delay } from "node:timers/promises";
import {
  type Job,
  type Jobs,
  type JsonSchema,
  steered,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../../tool-input.ts";
import { describeJob } from "./bash-output.ts";
import { createPollLadder, type PollLadder, type PollWait } from "./poll-wait.ts";

export type JobInput = {
  readonly poll?: readonly string[];
  readonly cancel?: readonly string[];
  readonly list?: boolean;
};

export type JobParts = {
  readonly pollWait: PollWait;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** Resolves after that time; rejects when the signal is aborted. That of the machine if left out. */
  readonly pause?: (pauseMs: number, signal: AbortSignal) => Promise<void>;
};

type CancelOutcome = "cancelled" | "not_found" | "already_completed";

const progressIntervalMs = 500;
/** Of each job that is over; the rest is in its artifact. */
const outputCharactersMax = 4_000;
const jobIds: JsonSchema = { type: "array", items: { type: "string", minLength: 1 } };
const inputSchema: JsonSchema = {
  type: "object",
  properties: { poll: jobIds, cancel: jobIds, list: { type: "boolean" } },
};

export function createJobTool(parts: JobParts): Tool<JobInput> {
  const ladder = createPollLadder(parts.pollWait, parts.now);
  const pause = parts.pause ?? (async (pauseMs, signal) => delay(pauseMs, undefined, { signal }));

  return {
    name: "job",
    description: textBeside(import.meta.url, "./job.md"),
    inputSchema,
    searchHint: "background jobs wait poll cancel list",
    resultCharactersMax: 30_000,
    interruptible: true,
    parse: (input) => parseInput<JobInput>(inputSchema, input),
    validate: async ({ list, poll = [], cancel = [] }) =>
      list === true && poll.length + cancel.length > 0 ? "list stands alone; leave out poll and cancel." : undefined,
    // Ending what this session was allowed to start needs no further permission.
    needs: () => [],
    readOnly: ({ cancel = [] }) => cancel.length === 0,
    concurrencySafe: () => false,
    async run(input, context) {
      const { jobs } = context;
      if (input.list === true) return listJobs(jobs.list());
      const cancelled = await cancelJobs(jobs, input.cancel ?? []);
      const watched = watchedIds(input, jobs);
      const { isWatching, isStopped } = await wait({ watched, context, ladder, pause, now: parts.now });
      return describeOutcome({ cancelled, watched, isUseless: isWatching && !isStopped, isStopped }, jobs);
    },
  };
}

function listJobs(jobs: readonly Job[]): ToolOutput {
  const lines = jobs.map((job) => `${describeJob(job)} ${job.command}`);
  return {
    output: lines.length === 0 ? "No jobs have been started recently." : lines.join("\n"),
    title: `${jobs.length} jobs`,
    metadata: { jobs: jobs.map(({ jobId, status }) => ({ jobId, status })) },
  };
}

async function cancelJobs(jobs: Jobs, ids: readonly string[]): Promise<readonly (readonly [string, CancelOutcome])[]> {
  return Promise.all(
    [...new Set(ids)].map(async (jobId) => {
      const found = jobs.find(jobId);
      if (found === undefined) return [jobId, "not_found"] as const;
      if (found.status !== "running") return [jobId, "already_completed"] as const;
      await jobs.kill(jobId);
      return [jobId, "cancelled"] as const;
    }),
  );
}

function watchedIds({ poll = [], cancel = [] }: JobInput, jobs: Jobs): readonly string[] {
  if (poll.length > 0) return [...new Set(poll)];
  if (cancel.length > 0) return [];
  return jobs.list().flatMap(({ jobId, status }) => (status === "running" ? [jobId] : []));
}

type Wait = {
  readonly watched: readonly string[];
  readonly context: ToolContext;
  readonly ladder: PollLadder;
  readonly pause: NonNullable<JobParts["pause"]>;
  readonly now: () => number;
};

type WaitEnd = {
  /** It waited, and all that it waited for still runs. */
  readonly isWatching: boolean;
  /** The user ended the turn; making room for a message is something else. */
  readonly isStopped: boolean;
};

async function wait({ watched, context, ladder, pause, now }: Wait): Promise<WaitEnd> {
  const { jobs, signal, sink } = context;
  const running = () => watched.filter((jobId) => jobs.find(jobId)?.status === "running");
  const awaited = running();
  if (awaited.length === 0 || awaited.length < watched.filter((jobId) => jobs.find(jobId) !== undefined).length)
    return { isWatching: false, isStopped: false };

  const startedMs = now();
  const limitMs = ladder.nextWaitMs();
  const timeUp = new AbortController();
  const either = AbortSignal.any([signal, timeUp.signal]);
  const ended = jobs.waitForEnd(awaited, either).then(() => timeUp.abort());
  for (let leftMs = limitMs; leftMs > 0 && !either.aborted; leftMs = startedMs + limitMs - now()) {
    await pauseUnlessAborted(pause, Math.min(leftMs, progressIntervalMs), either);
    const seconds = Math.round((now() - startedMs) / 1_000);
    if (!either.aborted) sink.write(`\rwaiting for ${awaited.join(", ")}: ${seconds} s`, "stdout");
  }
  timeUp.abort();
  await ended;
  ladder.noteEnd();
  const isStopped = signal.aborted && signal.reason !== steered;
  return { isWatching: running().length === awaited.length, isStopped };
}

async function pauseUnlessAborted(pause: Wait["pause"], pauseMs: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(pauseMs, signal);
  } catch (error) {
    // The end of a job, or of the turn, ends the pause early.
    if (!signal.aborted) throw error;
  }
}

type Outcome = {
  readonly cancelled: readonly (readonly [string, CancelOutcome])[];
  readonly watched: readonly string[];
  readonly isUseless: boolean;
  readonly isStopped: boolean;
};

function describeOutcome({ cancelled, watched, isUseless, isStopped }: Outcome, jobs: Jobs): ToolOutput {
  const blocks = [
    ...cancelled.map(([jobId, outcome]) => `${jobId}: ${outcome}`),
    ...watched.map((jobId) => describeWatched(jobId, jobs)),
    ...(isStopped ? ["The wait was interrupted by the user."] : []),
  ];
  const states = watched.map((jobId) => ({ jobId, status: jobs.find(jobId)?.status ?? "not_found" }));
  return {
    output: blocks.length === 0 ? "No job is running." : blocks.join("\n"),
    ...(isStopped && { isError: true }),
    title: [...cancelled.map(([jobId]) => jobId), ...watched].join(", ") || "no jobs",
    metadata: {
      jobs: states,
      cancelled: Object.fromEntries(cancelled),
      ...(isUseless && { useless: true }),
    },
  };
}

/** Shows what a job that is over printed last, so that nobody has to ask again. */
function describeWatched(jobId: string, jobs: Jobs): string {
  const job = jobs.find(jobId);
  if (job === undefined) return `${jobId}: not_found`;
  if (job.status === "running") return `${describeJob(job)} ${job.command}`;
  const unread = jobs.takeOutput(jobId);
  const shown = unread.slice(-outputCharactersMax).toWellFormed();
  const omission = shown.length < unread.length ? `[… ${unread.length - shown.length} characters …]\n` : "";
  const separator = shown === "" || shown.endsWith("\n") ? "" : "\n";
  return `${omission}${shown}${separator}${describeJob(job)} ${job.command}`;
}
