/** Turns facts into notes: one trace per run with a span for each model call and each tool call, and the amounts beside. */
import { type FactRecord, holdsCopies } from "@kedge/protocol";
import { besideCall } from "../usage/beside-calls.ts";
import { spent } from "./amounts.ts";
import { createNoteCalls } from "./note-calls.ts";
import { endRun, endStep, openRun, startStep } from "./note-runs.ts";
import type { TelemetryNote } from "./telemetry-note.ts";
import { emptyWatchedSession, type WatchedSession } from "./watched-session.ts";

export type NoteFacts = (record: FactRecord) => readonly TelemetryNote[];

export type NoteFactsParts = {
  /** A model may call a tool by any text; only names of tools are told. */
  readonly toolNames: () => readonly string[];
};

export function createNoteFacts({ toolNames }: NoteFactsParts): NoteFacts {
  const sessions = new Map<string, WatchedSession>();
  const calls = createNoteCalls(toolNames);
  return (record) => {
    const { fact, sessionId } = record;
    if (fact.type === "session.deleted") {
      sessions.delete(sessionId);
      return [];
    }
    const watched = sessions.get(sessionId) ?? emptyWatchedSession();
    sessions.set(sessionId, watched);
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
        return calls.started(watched, record, fact);
      case "tool.ended":
        return calls.ended(watched, record, fact);
      case "run.ended":
        return endRun(watched, record, fact);
      default: {
        const beside = besideCall(fact);
        return beside === undefined ? [] : spent(beside.model ?? watched.model, beside.usage, beside.cost);
      }
    }
  };
}
