/** Notes about tool calls: their spans, how they were decided, how long they took and what they edited. */
import type { FactOf, FactRecord } from "@kedge/protocol";
import { counted, decided, edited, timed } from "./amounts.ts";
import type { TelemetryNote } from "./telemetry-note.ts";
import type { WatchedSession } from "./watched-session.ts";

interface NoteCalls {
  started(watched: WatchedSession, record: FactRecord, fact: FactOf<"tool.started">): readonly TelemetryNote[];
  ended(watched: WatchedSession, record: FactRecord, fact: FactOf<"tool.ended">): readonly TelemetryNote[];
}

const unknownTool = "unknown";

/** Ids of calls come from models as well. */
const callIdShape = /^[\w.:|-]{1,128}$/;

/** A model may call a tool by any text; only names of tools are told. */
export function createNoteCalls(toolNames: () => readonly string[]): NoteCalls {
  let names: Set<string> | undefined;

  function shownTool(name: string): string {
    names ??= new Set(toolNames());
    return names.has(name) ? name : unknownTool;
  }

  /** A tool that began to run exists, even if it came later than the list. */
  function learnTool(name: string): void {
    shownTool(name);
    names?.add(name);
  }

  return {
    started(watched, { time }, fact) {
      const { tool } = fact;
      learnTool(tool);
      watched.calls.set(callKeyOf(fact), { tool, startedAt: time, isShown: false });
      return decided(fact.decision);
    },
    ended(watched, { time }, fact) {
      const { outcome, callId, stepId, parentCallId } = fact;
      const key = callKeyOf(fact);
      const started = watched.calls.get(key);
      const tool = started?.tool ?? shownTool(fact.tool);
      const notes: TelemetryNote[] = [
        ...counted("kedge.tool.calls", 1, { tool, outcome }),
        ...decided(fact.decision),
        ...(outcome === "completed" ? edited(fact.metadata) : []),
      ];
      if (started !== undefined) notes.push(timed("kedge.tool.duration", time - started.startedAt, { tool, outcome }));
      const runKey = watched.steps.get(stepId)?.runKey;
      if (runKey === undefined) return notes;
      const parentKey = parentCallId === undefined ? undefined : callKeyOf({ stepId, callId: parentCallId });
      const parent = parentKey === undefined ? undefined : watched.calls.get(parentKey);
      if (parentKey !== undefined && parentCallId !== undefined && parent !== undefined) {
        notes.push(...showCall(watched, { key: parentKey, callId: parentCallId, runKey, tool: parent.tool, time }));
      }
      const own = { key, callId, runKey, tool, time, ...(parent !== undefined && { parentKey }) };
      const error = outcome === "completed" ? {} : { "error.type": outcome };
      const attributes = { "kedge.tool.outcome": outcome, ...error };
      notes.push(...showCall(watched, own));
      notes.push({ kind: "span.ended", key, time, attributes, isError: outcome === "failed" });
      watched.calls.delete(key);
      return notes;
    },
  };
}

type ShownCall = {
  readonly key: string;
  readonly callId: string;
  readonly runKey: string;
  readonly tool: string;
  readonly time: number;
  readonly parentKey?: string | undefined;
};

/** Shown when it ends, or before the first call inside it does: only the end of a call tells inside which one it ran. */
function showCall(watched: WatchedSession, call: ShownCall): readonly TelemetryNote[] {
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
  const span = { name: `execute_tool ${tool}`, spanKind: "internal", time: open?.startedAt ?? time } as const;
  return [{ kind: "span.started", key, parentKey, ...span, attributes }];
}

function callKeyOf({ stepId, callId }: { readonly stepId: string; readonly callId: string }): string {
  return `${stepId} ${callId}`;
}
