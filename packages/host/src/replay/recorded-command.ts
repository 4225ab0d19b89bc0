/** The command that a recorded fact came from, as far as a replay gives it again. */
import type { Fact, SessionCommand } from "@kedge/protocol";
import type { RecordedRun } from "./recorded-session.ts";
import { runOptionsOf } from "./run-options.ts";

export function recordedCommand(
  fact: Fact,
  sessionId: string,
  runs: readonly RecordedRun[],
): SessionCommand | undefined {
  switch (fact.type) {
    case "prompt.admitted": {
      const { text, from, attachments, delivery } = fact;
      const run = runs.find(({ runId }) => runId === fact.runId);
      const options = run === undefined ? (fact.options ?? {}) : runOptionsOf(run);
      const said = {
        text,
        delivery,
        options,
        ...(from !== undefined && { from }),
        ...(attachments !== undefined && { attachments }),
      };
      return { type: "prompt.submit", sessionId, ...said };
    }
    case "prompt.revised":
      return { type: "prompt.revise", sessionId, promptId: fact.promptId, text: fact.text };
    case "prompt.withdrawn":
      return { type: "prompt.withdraw", sessionId, promptId: fact.promptId };
    case "model.changed":
      return { type: "model.change", sessionId, model: fact.model };
    case "message.removed":
      return { type: "message.remove", sessionId, messageId: fact.messageId };
    case "entry.labelled":
      return { ...fact, type: "entry.label", sessionId };
    case "checkpoint.discarded":
      return { type: "checkpoint.discard", sessionId };
    case "leaf.moved":
      return { type: "leaf.move", sessionId, ...(fact.leafId !== undefined && { entryId: fact.leafId }) };
    case "session.reverted":
      // A replay takes its files from the record.
      if (fact.only === "files") return undefined;
      return { type: "session.undo", sessionId, promptId: fact.promptId, evenIfChanged: true };
    case "session.unreverted":
      return fact.only === "files" ? undefined : { type: "session.redo", sessionId, evenIfChanged: true };
    default:
      // Modes decide about permission alone, and that is not judged again.
      return undefined;
  }
}
