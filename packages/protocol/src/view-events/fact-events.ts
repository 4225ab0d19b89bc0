/** The view events of a fact that are no rows: what it asks, tells and ends. */

import type { FactRecord } from "../facts/fact-record.ts";
import type { FileChange } from "../facts/fact-words.ts";
import type { FactOf } from "../facts/facts.ts";
import { runEndWords } from "../facts/run-end-text.ts";
import type { SessionStatus } from "../rows/host-words.ts";
import { messageIdOf } from "../view-fold/view-ids.ts";
import type { ViewState } from "../view-fold/view-state.ts";
import type { Signal } from "../wire/signals.ts";
import type { ViewEvent } from "./view-event.ts";

/** There are no other agents yet that could ask. */
const mainAgent = "main";

/** What the facts of the run under way changed, by path. */
export type RunFiles = Map<string, FileChange>;

export function eventsBesideRows(view: ViewState, { fact }: FactRecord, files: RunFiles): readonly ViewEvent[] {
  const status = { type: "session.status", status: statusOf(view) } as const;
  switch (fact.type) {
    case "prompt.admitted":
    case "step.started":
      return [status];
    case "command.ran": {
      const { type: _, ...command } = fact;
      return [{ type: "command.executed", ...command }];
    }
    case "permission.asked":
      return [askedEvent(view.sessionId, fact), status];
    case "permission.answered": {
      const { requestId: id, reply, source, grants } = fact;
      const patterns = grants.map(({ pattern }) => pattern);
      return [{ type: "permission.replied", id, reply, source, ...(patterns.length > 0 && { patterns }) }, status];
    }
    case "question.asked": {
      const { requestId: id, callId, questions } = fact;
      return [{ type: "question.asked", id, callId, questions }, status];
    }
    case "question.answered":
      return [{ type: "question.replied", id: fact.requestId, answers: fact.answers }, status];
    case "todos.replaced":
      return [{ type: "todo.updated", todos: fact.todos }];
    case "context.compacted": {
      const { compactionId, shortSummary, tokensBefore, tokensAfter } = fact;
      const messageId = messageIdOf(compactionId);
      return [{ type: "session.compacted", messageId, shortSummary, tokensBefore, tokensAfter }];
    }
    case "files.changed":
      for (const file of fact.files) files.set(file.path, file);
      return fact.files.map(({ path, status }) => ({ type: "file.edited", path, status }));
    case "session.reverted":
    case "session.unreverted":
      return [{ type: "session.diff", files: fact.files }];
    case "job.started": {
      const { jobId: id, callId, command } = fact;
      return [{ type: "task.started", id, callId, command }];
    }
    case "job.ended":
      return [{ type: "task.ended", id: fact.jobId, status: fact.status }];
    case "agent.started": {
      const { agentId: id, agent, description, name, callId } = fact;
      const named = { ...(name !== undefined && { name }), ...(callId !== undefined && { callId }) };
      return [{ type: "agent.started", id, agent, description, ...named }];
    }
    case "agent.ended": {
      const { agentId: id, status, why, usage, cost } = fact;
      return [{ type: "agent.ended", id, status, ...(why !== undefined && { why }), usage, cost }];
    }
    case "run.ended":
      return endEvents(view, fact, files);
    // The rows of the session, its messages and their parts tell everything.
    case "session.created":
    case "session.updated":
    case "session.deleted":
    case "chain.closed":
    case "journal.recovered":
    case "session.resumed":
    case "model.changed":
    case "mode.changed":
    case "style.changed":
    case "prompt.revised":
    case "prompt.withdrawn":
    case "step.progressed":
    case "step.ended":
    case "tool.started":
    case "tool.ended":
    case "grants.replaced":
    case "pressure.changed":
    case "checkpoint.opened":
    case "checkpoint.discarded":
    case "mail.received":
    case "conversation.rewound":
    case "context.cleared":
    case "compaction.failed":
    case "leaf.moved":
    case "entry.labelled":
    case "message.added":
    case "message.removed":
    case "instructions.loaded":
    case "reproduction.judged":
    case "memory.written":
    case "memory.quarantined":
    case "memory.recalled":
    case "memory.extracted":
    case "memory.consolidated":
    case "memory.lesson_extracted":
    case "content.removed":
      return [];
    // A fact of a newer kedge.
    default:
      return [];
  }
}

/** Of every signal but the deltas of an answer, which parts are made of. */
export function eventsOfOtherSignal(
  view: ViewState,
  signal: Exclude<Signal, { type: "text.delta" | "reasoning.delta" | "tool.input.delta" }>,
): readonly ViewEvent[] {
  switch (signal.type) {
    case "tool.progress": {
      const { callId, count, text, stream } = signal;
      return [{ type: "task.progress", callId, count, text, stream }];
    }
    case "step.retrying": {
      const { until, attempt, attemptsMax, failure } = signal;
      const attempts = { attempt, ...(attemptsMax !== undefined && { attemptsMax }) };
      return [{ type: "session.status", status: { state: "retry", until, ...attempts, reason: failure.message } }];
    }
    case "step.stalling":
      return [{ type: "session.status", status: statusOf(view), stalledMs: signal.idleMs }];
    case "budget.crossing": {
      const { limit, percent } = signal;
      return [{ type: "session.status", status: statusOf(view), budget: { limit, percent } }];
    }
    case "run.unrecorded":
      return [{ type: "session.error", runId: signal.runId, failure: signal.failure }];
    case "mcp.status":
    case "mcp.tools.changed":
    case "lsp.updated":
      return eventsOfServer(signal);
    case "session.moved":
      return [{ type: "session.moved", toSessionId: signal.toSessionId }];
    case "agent.progressed": {
      const { sessionId: _, agentId: id, ...progress } = signal;
      return [{ ...progress, id }];
    }
    case "notice":
      return [{ type: "notification", kind: "notice", text: signal.text }];
    // A signal of a newer kedge.
    default:
      return [];
  }
}

/** What becomes of a server is the same whatever was said in the session. */
export function eventsOfServer(signal: Signal): readonly ViewEvent[] {
  if (signal.type !== "mcp.status" && signal.type !== "mcp.tools.changed" && signal.type !== "lsp.updated") return [];
  const { sessionId: _, ...event } = signal;
  return [event];
}

function statusOf({ skeleton }: ViewState): SessionStatus {
  if (skeleton.runId === undefined) return { state: "idle" };
  return { state: skeleton.permissionRequests.size > 0 || skeleton.questions.size > 0 ? "waiting" : "busy" };
}

function askedEvent(sessionId: string, fact: FactOf<"permission.asked">): ViewEvent {
  const { type, requestId: id, stepId, callId, permission, patterns, always, reason, ...metadata } = fact;
  const messageId = messageIdOf(stepId);
  const about = { sessionId, messageId, callId, agent: fact.agent?.agent ?? mainAgent, permission, patterns, always };
  return { type, id, ...about, metadata, reason };
}

function endEvents(view: ViewState, fact: FactOf<"run.ended">, files: RunFiles): readonly ViewEvent[] {
  const { runId, reason, failure } = fact;
  const changed = [...files.values()];
  files.clear();
  const isError = reason.startsWith("error_");
  const text = `${view.session?.title ?? view.sessionId}: ${runEndWords(reason)}`;
  return [
    isError
      ? { type: "session.error", runId, reason, ...(failure !== undefined && { failure }) }
      : { type: "session.idle", runId, reason },
    { type: "session.diff", files: changed },
    { type: "notification", kind: "run", text },
  ];
}
