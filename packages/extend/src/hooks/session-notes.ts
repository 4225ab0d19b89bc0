/** What hooks are told of a session with every event, gathered from its facts. */
import type { Event, JsonObject, SessionPlace } from "@kedge/protocol";

type Notes = {
  promptId?: string;
  /** The last run that was asked for, and how much the model shall think in it. */
  run?: { readonly runId: string; readonly effort?: string };
  /** Present for a session that works for another one. */
  agent?: { readonly agent_id: string; readonly agent_type: string };
};

export interface SessionNotes {
  hear(sessionId: string, event: Event): void;
  /** The fields that every event has. */
  fieldsOf(place: Pick<SessionPlace, "sessionId" | "cwd"> & { readonly mode?: string }): JsonObject;
  /** True once for a copy of another session that this process made. */
  takeFork(sessionId: string): boolean;
  /** Sessions that work for nobody else and are not closed. */
  sessions(): readonly string[];
  forget(sessionId: string): void;
}

/** What a session is called that works for another one without a definition, such as the one that answers a hook. */
const typeWithoutDefinition = "general-purpose";

export function createSessionNotes(): SessionNotes {
  const all = new Map<string, Notes>();
  const modes = new Map<string, string>();
  const forks = new Set<string>();

  const notesOf = (sessionId: string): Notes => {
    const known = all.get(sessionId) ?? {};
    all.set(sessionId, known);
    return known;
  };

  return {
    hear(sessionId, event) {
      if (event.kind !== "fact") return;
      const { fact } = event.record;
      if (fact.type === "step.started" && fact.prompts.length > 0) {
        const last = fact.prompts.at(-1);
        if (last !== undefined) notesOf(sessionId).promptId = last.promptId;
      } else if (fact.type === "prompt.admitted") {
        const { runId, options } = fact;
        const effort = options?.reasoning?.effort;
        const own = notesOf(sessionId);
        // What joins a run has no wishes of its own.
        if (own.run?.runId !== runId) own.run = { runId, ...(effort !== undefined && { effort }) };
      } else if (fact.type === "session.created" || fact.type === "mode.changed" || fact.type === "session.resumed") {
        modes.set(sessionId, fact.mode);
        if (fact.type === "session.created" && fact.origin?.kind === "fork") forks.add(sessionId);
        if (fact.type === "session.created" && fact.origin?.kind === "child") {
          notesOf(sessionId).agent = { agent_id: sessionId, agent_type: fact.origin.agent ?? typeWithoutDefinition };
        }
      }
    },
    fieldsOf({ sessionId, cwd, mode = modes.get(sessionId) ?? "default" }) {
      const { promptId, agent, run } = all.get(sessionId) ?? {};
      return {
        session_id: sessionId,
        ...(promptId !== undefined && { prompt_id: promptId }),
        cwd,
        permission_mode: mode,
        ...(run?.effort !== undefined && { effort: { level: run.effort } }),
        ...agent,
      };
    },
    takeFork: (sessionId) => forks.delete(sessionId),
    sessions: () => [...modes.keys()].filter((sessionId) => all.get(sessionId)?.agent === undefined),
    forget(sessionId) {
      all.delete(sessionId);
      modes.delete(sessionId);
    },
  };
}
