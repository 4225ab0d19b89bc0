/** What `onSession` of tools hears of a session, in the words of omp, for code that runs already. */
import type { Event } from "@kedge/protocol";
import type { CodeUnit } from "./code-unit.ts";

const eventsOfFacts: { readonly [fact: string]: string } = {
  "session.created": "start",
  "session.resumed": "switch",
  "session.reverted": "branch",
  "leaf.moved": "tree",
  "context.compacted": "auto_compaction_end",
  "compaction.failed": "auto_compaction_end",
};

export type SessionEvents = { hear(sessionId: string, event: Event): void };

export function createSessionEvents(units: readonly CodeUnit[]): SessionEvents {
  /** Sessions whose model call is tried again. */
  const retrying = new Set<string>();
  const tell = (type: string, sessionId: string) => {
    for (const unit of units) if (unit.manifest().tools.some(({ listens }) => listens)) unit.tell({ type, sessionId });
  };
  return {
    hear(sessionId, event) {
      if (event.kind === "signal") {
        if (event.signal.type !== "step.retrying" || retrying.has(sessionId)) return;
        retrying.add(sessionId);
        return tell("auto_retry_start", sessionId);
      }
      const { type } = event.record.fact;
      if (type === "step.ended" && retrying.delete(sessionId)) tell("auto_retry_end", sessionId);
      const told = eventsOfFacts[type];
      if (told !== undefined) tell(told, sessionId);
    },
  };
}
