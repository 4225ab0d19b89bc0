/** Work that goes on in the background of open sessions: listed, read and stopped. */
import { readFileSync } from "node:fs";
import type { OpenSession } from "@kedge/engine";
import {
  type CommandAnswer,
  type CommandOf,
  type Job,
  notFound,
  type QueryAnswer,
  type QueryOf,
  type TaskSummary,
} from "@kedge/protocol";
import type { HostDeskParts } from "./host-desk.ts";

type TaskParts = Pick<HostDeskParts, "engine" | "artifactPath">;

/** The end of the output; the whole of it lies in a file. */
const outputCharactersMax = 100_000;

function summaryOf({ state }: OpenSession, job: Job): TaskSummary {
  const { jobId: taskId, command, status } = job;
  const place = { sessionId: state.sessionId, taskId, command, durationMs: job.durationMs };
  if (status === "running") return { ...place, status };
  const code = job.exitCode === undefined ? "" : ` with exit code ${job.exitCode}`;
  return { ...place, status: "ended", result: `${status}${code}` };
}

export function listTasks({ engine }: TaskParts, { sessionId }: QueryOf<"task.list">): QueryAnswer<"task.list"> {
  const sessions = engine
    .openSessions()
    .filter(({ state }) => sessionId === undefined || state.sessionId === sessionId);
  return {
    ok: true,
    value: { tasks: sessions.flatMap((open) => open.jobs.list().map((job) => summaryOf(open, job))) },
  };
}

type Found = { readonly open: OpenSession; readonly job: Job };

function find({ engine }: TaskParts, at: { readonly sessionId: string; readonly taskId: string }): Found | undefined {
  const open = engine.openSessions().find(({ state }) => state.sessionId === at.sessionId);
  const job = open?.jobs.find(at.taskId);
  return open === undefined || job === undefined ? undefined : { open, job };
}

export function readTask(parts: TaskParts, query: QueryOf<"task.read">): QueryAnswer<"task.read"> {
  const found = find(parts, query);
  if (found === undefined) return notFound("task", query.taskId);
  const path = parts.artifactPath(query.sessionId, found.job.artifact);
  const output = path === undefined ? "" : readFileSync(path, "utf8").slice(-outputCharactersMax);
  return { ok: true, value: { ...summaryOf(found.open, found.job), output } };
}

export async function stopTask(parts: TaskParts, command: CommandOf<"task.stop">): Promise<CommandAnswer<"task.stop">> {
  const found = find(parts, command);
  if (found === undefined) return notFound("task", command.taskId);
  await found.open.jobs.kill(command.taskId);
  return { ok: true, value: {} };
}
