/** Turns facts into notes: one trace per run with a span for each model call and each tool call, and the amounts beside. */
import { type FactOf, type FactRecord, holdsCopies } from "@kedge/protocol";
import { besideCall } from "../usage/beside-calls.ts";
import { counted, decided, edited, retried, spent, timed } from "./amounts.ts";
import { finishAttributes, modelAttributes, modelName, usageAttributes } from "./gen-ai-words.ts";
import type { NoteAttributes, TelemetryNote } from "./telemetry-note.ts";

export type NoteFacts = (record: FactRecord) => readonly TelemetryNote[];

export type NoteFactsParts = {
  /** A model may call a tool by any text; only names of tools are told. */
  readonly toolNames: () => readonly string[];
};

/** Changed only here. What is open of one session. */
type Watched = {
  /** It begins with what another session did, which was told there. */
  isCopy: boolean;
  model: string;
  readonly runs: Set<string>;
  turn: { readonly startedAt: number; readonly model: string } | undefined;
  readonly steps: Map<string, { readonly runKey: string; readonly model: string; isOpen: boolean }>;
  readonly calls: Map<string, { readonly tool: string; readonly startedAt: number; isShown: boolean }>;
};

const unknownModel = "unknown/unknown";
const unknownTool = "unknown";

/** Ids of calls come from models as well. */
const callIdShape = /^[\w.:|-]{1,128}$/;

export function createNoteFacts(parts: NoteFactsParts): NoteFacts {
  const sessions = new Map<string, Watched>();
  let names: Set<string> | undefined;

  function watchedOf(sessionId: string): Watched {
    const existing = sessions.get(sessionId);
    if (existing !== undefined) return existing;
    const fresh: Watched = {
      isCopy: false,
      model: unknownModel,
      runs: new Set(),
      turn: undefined,
      steps: new Map(),
      calls: new Map(),
    };
    sessions.set(sessionId, fresh);
    return fresh;
  }

  function shownTool(name: string): string {
    names ??= new Set(parts.toolNames());
    return names.has(name) ? name : unknownTool;
  }

  /** A tool that began to run exists, even if it came later than the list. */
  function learnTool(name: string): void {
    shownTool(name);
    names?.add(name);
  }

  function openRun(watched: Watched, { sessionId, time }: FactRecord, runId: string): readonly TelemetryNote[] {
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

  function startStep(watched: Watched, record: FactRecord, fact: FactOf<"step.started">): readonly TelemetryNote[] {
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

  function endStep(watched: Watched, { time }: FactRecord, fact: FactOf<"step.ended">): readonly TelemetryNote[] {
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

  function endTurn(watched: Watched, time: number): readonly TelemetryNote[] {
    const { turn } = watched;
    watched.turn = undefined;
    return turn === undefined ? [] : [timed("kedge.turn.duration", time - turn.startedAt, { model: turn.model })];
  }

  function startTool(watched: Watched, { time }: FactRecord, fact: FactOf<"tool.started">): readonly TelemetryNote[] {
    const { tool } = fact;
    learnTool(tool);
    watched.calls.set(callKeyOf(fact), { tool, startedAt: time, isShown: false });
    return decided(fact.decision);
  }

  /** Shown when it ends, or before the first call inside it does: only the end of a call tells inside which one it ran. */
  function showCall(watched: Watched, call: ShownCall): readonly TelemetryNote[] {
    const { key, callId, runKey, tool, time, parentKey = runKey } = call;
    const open = watched.calls.get(key);
    if (open?.isShown === true) return [];
    if (open !== undefined) open.isShown = true;
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.type": "function",
      ...(callIdShape.test(callId) && { "gen_ai.tool.call.id": callId }),
    };
    return [
      {
        kind: "span.started",
        key,
        parentKey,
        name: `execute_tool ${tool}`,
        spanKind: "internal",
        time: open?.startedAt ?? time,
        attributes,
      },
    ];
  }

  function endTool(watched: Watched, { time }: FactRecord, fact: FactOf<"tool.ended">): readonly TelemetryNote[] {
    const { outcome, callId, stepId, parentCallId } = fact;
    const key = callKeyOf(fact);
    const started = watched.calls.get(key);
    const tool = started?.tool ?? shownTool(fact.tool);
    const notes: TelemetryNote[] = [
      ...counted("kedge.tool.calls", 1, { tool, outcome }),
      ...decided(fact.decision),
      ...(outcome === "completed" ? edited(fact.metadata) : []),
    ];
    if (started !== undefined) {
      notes.push(timed("kedge.tool.duration", time - started.startedAt, { tool, outcome }));
    }
    const runKey = watched.steps.get(stepId)?.runKey;
    if (runKey === undefined) return notes;
    const parentKey = parentCallId === undefined ? undefined : callKeyOf({ stepId, callId: parentCallId });
    const parent = parentKey === undefined ? undefined : watched.calls.get(parentKey);
    if (parentKey !== undefined && parentCallId !== undefined && parent !== undefined) {
      notes.push(...showCall(watched, { key: parentKey, callId: parentCallId, runKey, tool: parent.tool, time }));
    }
    notes.push(...showCall(watched, { key, callId, runKey, tool, time, ...(parent !== undefined && { parentKey }) }), {
      kind: "span.ended",
      key,
      time,
      attributes: { "kedge.tool.outcome": outcome, ...(outcome !== "completed" && { "error.type": outcome }) },
      isError: outcome === "failed",
    });
    watched.calls.delete(key);
    return notes;
  }

  function endRun(watched: Watched, record: FactRecord, fact: FactOf<"run.ended">): readonly TelemetryNote[] {
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

  return (record) => {
    const { fact, sessionId } = record;
    if (fact.type === "session.deleted") {
      sessions.delete(sessionId);
      return [];
    }
    const watched = watchedOf(sessionId);
    if (fact.type === "session.resumed") watched.isCopy = false;
    if (watched.isCopy) return [];
    switch (fact.type) {
      case "session.created":
        watched.model = fact.model;
        watched.isCopy = holdsCopies(fact.origin);
        return [];
      case "model.changed":
        watched.model = fact.model;
        return [];
      case "prompt.admitted":
        // One that waits for the run under way begins its own with its first step.
        return watched.runs.size > 0 ? [] : openRun(watched, record, fact.runId);
      case "step.started":
        return startStep(watched, record, fact);
      case "step.ended":
        return endStep(watched, record, fact);
      case "tool.started":
        return startTool(watched, record, fact);
      case "tool.ended":
        return endTool(watched, record, fact);
      case "run.ended":
        return endRun(watched, record, fact);
      default: {
        const beside = besideCall(fact);
        return beside === undefined ? [] : spent(beside.model ?? watched.model, beside.usage, beside.cost);
      }
    }
  };
}

/** A run whose disk failed may end without the ends of what it did. */
function endOpenSpans({ steps, calls }: Watched, time: number): readonly TelemetryNote[] {
  const keys = [
    ...[...steps].filter(([, { isOpen }]) => isOpen).map(([key]) => key),
    ...[...calls].filter(([, { isShown }]) => isShown).map(([key]) => key),
  ];
  return keys.map((key) => ({
    kind: "span.ended",
    key,
    time,
    attributes: { "error.type": "interrupted" },
    isError: false,
  }));
}

type ShownCall = {
  readonly key: string;
  readonly callId: string;
  readonly runKey: string;
  readonly tool: string;
  readonly time: number;
  readonly parentKey?: string | undefined;
};

function runKeyOf(sessionId: string, runId: string): string {
  return `${sessionId} ${runId}`;
}

function callKeyOf({ stepId, callId }: { readonly stepId: string; readonly callId: string }): string {
  return `${stepId} ${callId}`;
}
