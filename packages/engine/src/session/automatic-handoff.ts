/** Where the settings say so, hands the work of a conversation that has grown large over to a new session. */
import type { OpenSuccessor } from "../compaction/hand-over.ts";
import { mayHandOver } from "../compaction/may-hand-over.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionWork } from "./session-work.ts";

/** To be called while nothing is under way. What is said meanwhile is answered where the work continues. */
export function handOverIfDue(session: SessionParts, work: SessionWork, openSuccessor: OpenSuccessor): void {
  const { engine, journal, care } = session;
  if (engine.compaction?.settings?.strategy !== "handoff" || !mayHandOver(engine)) return;
  const { sessionId } = journal.state;
  const tell = (text: string) => journal.signal({ type: "notice", sessionId, text });
  const over = work.during(async (signal) => {
    const found = await engine.models.find(journal.state.model);
    if (!found.ok || !care.isHandoffDue(session.frameFor(found.model))) return undefined;
    const { handOver } = await import("../compaction/hand-over.ts");
    const { optionsOf } = work;
    return handOver(session, { waiting: [], openSuccessor, optionsOf }, signal);
  });
  over.then(
    (answer) => {
      if (answer?.ok === false) tell(`Handoff failed: ${answer.failure.message}`);
      else if (answer !== undefined && answer.value.sessionId !== sessionId) {
        const toSessionId = answer.value.sessionId;
        tell(`This conversation is large. It continues in session ${toSessionId}.`);
        journal.signal({ type: "session.moved", sessionId, toSessionId });
      }
    },
    (error: unknown) => tell(`Handoff failed: ${engine.redact(String(error))}`),
  );
}
