/** The compaction that the user asks for: with the session's own model, and an answer in words. */
import type { CommandAnswer, Model, ToolSchema } from "@kedge/protocol";
import type { EngineParts } from "../parts.ts";
import { systemPrompt } from "../prompt-texts.ts";
import type { CompactionOutcome } from "./compaction-parts.ts";
import type { ContextCare } from "./context-care.ts";

export type UserCompactionParts = {
  readonly engine: EngineParts;
  readonly care: ContextCare;
  /** The session's. */
  readonly model: string;
  readonly tools: (model: Model) => readonly ToolSchema[];
};

export async function compactForUser(
  { engine, care, model: ref, tools }: UserCompactionParts,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<CommandAnswer<"context.compact">> {
  const found = await engine.models.find(ref);
  if (!found.ok) return found;
  const { model } = found;
  const system = systemPrompt(engine.prompt, engine.workspace, { model, structured: false });
  return answerOf(await care.compact({ model, system, tools: tools(model) }, instructions, signal));
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
      const message = "There is nothing to summarise: the conversation is as short as it can be.";
      return { ok: false, failure: { code: "invalid_command", message, retryable: false } };
    }
    case "aborted": {
      const message = "The summary was stopped; the conversation is as it was.";
      return { ok: false, failure: { code: "aborted", message, retryable: true } };
    }
  }
}
