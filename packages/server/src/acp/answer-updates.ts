/** Updates of what an answer says and thinks: piece by piece, and at its end whatever was missed. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type FactOf, messageIdOf } from "@kedge/protocol";
import { createTextFilter, type TextFilter } from "./text-filter.ts";

export type SpokenKind = "text" | "reasoning";

interface AnswerUpdates {
  said(kind: SpokenKind, stepId: string, text: string): readonly SessionUpdate[];
  /** Signals may be lost; the finished answer has what they would have said. */
  missed(fact: FactOf<"step.ended">): readonly SessionUpdate[];
}

type Spoken = { readonly admissions: TextFilter; seen: string };

type OpenStep = { readonly stepId: string; readonly text: Spoken; readonly reasoning: Spoken };

export function createAnswerUpdates(): AnswerUpdates {
  let step = openStep("");

  function stepOf(stepId: string): OpenStep {
    if (step.stepId !== stepId) step = openStep(stepId);
    return step;
  }

  function said(kind: SpokenKind, stepId: string, text: string): readonly SessionUpdate[] {
    const spoken = stepOf(stepId)[kind];
    spoken.seen += text;
    const shown = spoken.admissions.add(text);
    if (shown === "") return [];
    const sessionUpdate = kind === "text" ? "agent_message_chunk" : "agent_thought_chunk";
    return [{ sessionUpdate, content: { type: "text", text: shown }, messageId: messageIdOf(stepId) }];
  }

  function rest(kind: SpokenKind, { stepId, content }: FactOf<"step.ended">): readonly SessionUpdate[] {
    const whole = content.map((block) => (block.type === kind ? block.text : "")).join("");
    const { seen } = stepOf(stepId)[kind];
    return whole.startsWith(seen) ? said(kind, stepId, whole.slice(seen.length)) : [];
  }

  return { said, missed: (fact) => [...rest("reasoning", fact), ...rest("text", fact)] };
}

function openStep(stepId: string): OpenStep {
  const spoken = (): Spoken => ({ admissions: createTextFilter(), seen: "" });
  return { stepId, text: spoken(), reasoning: spoken() };
}
