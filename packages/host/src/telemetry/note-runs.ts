/** Notes about runs and model calls: their spans, how long they took and what they cost. */
import type { FactOf, FactRecord } from "@kedge/protocol";
import { retried, spent, timed } from "./amounts.ts";
import { finishAttributes, modelAttributes, modelName, usageAttributes } from "./gen-ai-words.ts";
import type { NoteAttributes, TelemetryNote } from "./telemetry-note.ts";
import type { WatchedSession } from "./watched-session.ts";

type Notes = readonly TelemetryNote[];

export function openRun(watched: WatchedSession, { sessionId, time }: FactRecord, runId: string): Notes {
  const key = runKeyOf(sessionId, runId);
  if (watched.runs.has(key)) return [];
  watched.runs.add(key);
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "kedge",
    "gen_ai.conversation.id": sessionId,
  };
  return [{ kind: "span.started", key, name: "invoke_agent kedge", spanKind: "internal", time, attributes }];
}

export function startStep(watched: WatchedSession, record: FactRecord, fact: FactOf<"step.started">): Notes {
  const { stepId, runId, model } = fact;
  const { time, sessionId } = record;
  const opened = openRun(watched, record, runId);
  const ended = endTurn(watched, time);
  const runKey = runKeyOf(sessionId, runId);
  watched.model = model;
  watched.turn = { startedAt: time, model };
  watched.steps.set(stepId, { runKey, model, isOpen: true });
  const attributes = {
    "gen_ai.operation.name": "chat",
    ...modelAttributes(model),
    "gen_ai.conversation.id": sessionId,
  };
  const name = `chat ${modelName(model)}`;
  return [
    ...ended,
    ...opened,
    { kind: "span.started", key: stepId, parentKey: runKey, name, spanKind: "client", time, attributes },
  ];
}

export function endStep(watched: WatchedSession, { time }: FactRecord, fact: FactOf<"step.ended">): Notes {
  const { stepId, usage, cost, durationMs, outcome } = fact;
  const step = watched.steps.get(stepId);
  if (step !== undefined) step.isOpen = false;
  const model = step?.model ?? watched.model;
  const error = outcome === "answered" ? {} : { "error.type": fact.failure?.code ?? outcome };
  const attributes = { ...usageAttributes(usage), ...finishAttributes(fact.stopReason), ...error };
  const call = { "gen_ai.operation.name": "chat", ...modelAttributes(model), ...error };
  return [
    { kind: "span.ended", key: stepId, time, attributes, isError: outcome === "failed" },
    ...spent(model, usage, cost),
    ...retried(fact),
    timed("kedge.api.duration", durationMs, { model }),
    timed("gen_ai.client.operation.duration", durationMs, call),
  ];
}

export function endRun(watched: WatchedSession, record: FactRecord, fact: FactOf<"run.ended">): Notes {
  const { reason, usage, cost, turns, failure } = fact;
  const { time } = record;
  const key = runKeyOf(record.sessionId, fact.runId);
  const ended = [...endTurn(watched, time), ...endOpenSpans(watched, time)];
  watched.steps.clear();
  watched.calls.clear();
  // The end of a run that an earlier process left behind has no beginning here.
  if (!watched.runs.delete(key)) return ended;
  const error: NoteAttributes = reason === "completed" ? {} : { "error.type": failure?.code ?? reason };
  const attributes = {
    ...modelAttributes(watched.model),
    ...usageAttributes(usage),
    "kedge.cost.usd": cost.usd,
    "kedge.run.turns": turns,
    "kedge.run.reason": reason,
    ...error,
  };
  const isError = reason !== "completed" && reason !== "aborted";
  return [...ended, { kind: "span.ended", key, time, attributes, isError }];
}

function endTurn(watched: WatchedSession, time: number): Notes {
  const { turn } = watched;
  watched.turn = undefined;
  return turn === undefined ? [] : [timed("kedge.turn.duration", time - turn.startedAt, { model: turn.model })];
}

/** A run whose disk failed may end without the ends of what it did. */
function endOpenSpans({ steps, calls }: WatchedSession, time: number): Notes {
  const keys = [
    ...[...steps].filter(([, { isOpen }]) => isOpen).map(([key]) => key),
    ...[...calls].filter(([, { isShown }]) => isShown).map(([key]) => key),
  ];
  const attributes = { "error.type": "interrupted" };
  return keys.map((key) => ({ kind: "span.ended", key, time, attributes, isError: false }));
}

function runKeyOf(sessionId: string, runId: string): string {
  return `${sessionId} ${runId}`;
}
