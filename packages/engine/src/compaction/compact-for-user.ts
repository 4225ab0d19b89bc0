/** The compaction that the user asks for: with the session's own model, and an answer in words. */
import type { CommandAnswer } from "@kedge/protocol";
import type { SessionParts } from "../session/session-parts.ts";
import type { CompactionOutcome } from "./compaction-parts.ts";

export async function compactForUser(
  { engine, journal, care, frameFor }: Pick<SessionParts, "engine" | "journal" | "care" | "frameFor">,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<CommandAnswer<"context.compact">> {
  const found = await engine.models.find(journal.state.model);
  if (!found.ok) return found;
  const asked = { trigger: "manual", ...(instructions !== undefined && { instructions }) } as const;
  return answerOf(await care.compact(frameFor(found.model), asked, signal));
}

function answerOf(outcome: CompactionOutcome): CommandAnswer<"context.compact"> {
  switch (outcome.kind) {
    case "compacted": {
      const { shortSummary, tokensBefore, tokensAfter } = outcome;
      return { ok: true, value: { shortSummary, tokensBefore, tokensAfter } };
    }
    case "failed":
      return { ok: false, failure: outcome.failure };
    case "nothing": {
      const message = "Nothing to compact: the conversation is already as short as possible.";
      return { ok: false, failure: { code: "invalid_command", message, retryable: false } };
    }
    case "aborted": {
      const message = "Compaction canceled. The conversation is unchanged.";
      return { ok: false, failure: { code: "aborted", message, retryable: true } };
    }
  }
}
