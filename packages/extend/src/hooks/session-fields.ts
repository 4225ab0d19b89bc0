/** What hooks are told of a session at its start and its end, and the name that they give it. */
import type { JsonObject, StartedSession, StoppingRun } from "@kedge/protocol";
import type { HookParts, SessionLook } from "./hook-parts.ts";
import type { Fired } from "./hook-set.ts";
import type { SessionNotes } from "./session-notes.ts";

const startSources = { create: "startup", resume: "resume", compact: "compact" } as const;

export type FieldParts = { readonly parts: Pick<HookParts, "lookAtSession">; readonly notes: SessionNotes };

export function startFields({ source, sessionId }: StartedSession, { parts, notes }: FieldParts): JsonObject {
  const isFork = notes.takeFork(sessionId) && source === "resume";
  const title = parts.lookAtSession?.(sessionId)?.title ?? "";
  return { source: isFork ? "fork" : startSources[source], ...(title !== "" && { session_title: title }) };
}

/** By the last hook that has a name for it. */
export async function nameSession(
  sessionId: string,
  { answers }: Fired,
  parts: Pick<HookParts, "nameSession">,
): Promise<void> {
  const title = answers.findLast(({ answer }) => answer.title !== undefined)?.answer.title;
  if (title !== undefined) await parts.nameSession?.(sessionId, title);
}

export function stopFields(
  { continuations, text, sessionId }: StoppingRun,
  { lookAtSession }: Pick<HookParts, "lookAtSession">,
): JsonObject {
  return {
    stop_hook_active: continuations > 0,
    last_assistant_message: text,
    background_tasks: backgroundTasks(lookAtSession?.(sessionId)),
    session_crons: [],
  };
}

/** Commands and agents that still work when the model has nothing more to do. */
function backgroundTasks(session: SessionLook | undefined): readonly JsonObject[] {
  if (session === undefined) return [];
  const jobs = [...session.jobs.values()].map(({ jobId: id, command }) => ({ id, type: "shell", command }));
  const agents = [...session.agents.values()].flatMap(({ agentId: id, agent, description, isBackground, end }) =>
    isBackground === true && end === undefined ? [{ id, type: "subagent", agent_type: agent, description }] : [],
  );
  return [...jobs, ...agents].map((task) => ({ status: "running", description: "", ...task }));
}
