/** Waits for a task in front of the model, and lets it go on as a job of the session when it takes long. */
import type { Job, JobEnd, ToolContext, ToolOutput } from "@kedge/protocol";
import type { TaskRef } from "../connection/task-result.ts";
import { type FollowTaskParts, followTask, type TaskEnd } from "./follow-task.ts";
import { shownWord } from "./progress.ts";
import { fenceResult, type ResultOrigin, resultOutput } from "./result-output.ts";

export type TaskJobParts = Omit<FollowTaskParts, "signal" | "onStatus"> & {
  readonly origin: ResultOrigin;
  readonly context: ToolContext;
  readonly now: () => number;
  /** How long a call is waited for before it becomes a job. */
  readonly frontMs: number;
};

export async function runTask(task: TaskRef, parts: TaskJobParts): Promise<ToolOutput> {
  const { origin, context, now, frontMs } = parts;
  const startedMs = now();
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  context.signal.addEventListener("abort", stop, { once: true });
  const over = followTask(task, {
    ...parts,
    signal: stopping.signal,
    onStatus: (text) => text !== "" && context.sink.write(`${shownWord(text)}\n`, "stdout"),
  });
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), frontMs);
  const end = await Promise.race([over, late.promise]);
  clearTimeout(timer);
  if (end !== undefined) {
    context.signal.removeEventListener("abort", stop);
    return describeEnd(end, parts);
  }
  const adopted = letGo({ over, stop, ranMs: now() - startedMs }, parts);
  // Without a job to be had it stays in front.
  if (adopted === undefined) return describeEnd(await over, parts);
  context.signal.removeEventListener("abort", stop);
  const seconds = Math.round((now() - startedMs) / 1_000);
  return {
    output: `${origin.tool} of the MCP server ${origin.server} still runs after ${seconds} s and is ${adopted.jobId} in the background now. You are notified when it ends; its result goes to artifact://${adopted.artifact}. To end it: bash_kill {"jobID":"${adopted.jobId}"}.`,
    title: titleOf(origin),
    metadata: { ...origin, jobId: adopted.jobId, artifactId: adopted.artifact, moved: true },
  };
}

type Running = { readonly over: Promise<TaskEnd>; readonly stop: () => void; readonly ranMs: number };

function letGo({ over, stop, ranMs }: Running, parts: TaskJobParts): Job | undefined {
  const { context, origin } = parts;
  const output = Promise.withResolvers<(text: string) => void>();
  const adopted = context.jobs.adopt({
    command: titleOf(origin),
    ranMs,
    stop,
    openArtifact: () => context.artifacts.create("mcp"),
    attach: (onOutput) => output.resolve((text) => onOutput(text, "stdout")),
    over: over.then(async (end): Promise<JobEnd> => {
      const write = await output.promise;
      const { output: text, media = [] } = await describeEnd(end, parts);
      write(media.length === 0 ? `${text}\n` : `${text}\n(Pictures of a background call are not shown.)\n`);
      if (end.kind === "completed") return { status: end.result.isError === true ? "failed" : "completed" };
      return { status: end.kind };
    }),
  });
  return adopted.ok ? adopted.job : undefined;
}

async function describeEnd(end: TaskEnd, { origin, context }: TaskJobParts): Promise<ToolOutput> {
  const { server, tool } = origin;
  const metadata = { server, tool };
  const title = titleOf(origin);
  if (end.kind === "cancelled")
    return { output: `${tool} of the MCP server ${server} was canceled.`, isError: true, title, metadata };
  if (end.kind === "failed") {
    const says = `${tool} of the MCP server ${server} did not finish: ${end.says}.`;
    const output = end.data === undefined ? says : `${says}\n${await fenceResult(end.data, origin, context)}`;
    return { output, isError: true, title, metadata };
  }
  const { output, media } = await resultOutput(end.result, origin, context);
  const isError = end.result.isError === true;
  return { output, title, metadata, ...(media.length > 0 && { media }), ...(isError && { isError }) };
}

function titleOf({ server, tool }: ResultOrigin): string {
  return `${server} ${tool}`;
}
