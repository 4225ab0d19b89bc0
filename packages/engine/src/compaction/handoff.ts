/** The document with which a new session goes on: asked of the working model with its whole conversation before it. */
import { type Failure, type Message, type ModelRequest, type Models, noUsage } from "@kedge/protocol";
import type { SystemTexts } from "../context/context-builder.ts";
import type { ModelInUse } from "../run/loop-state.ts";
import type { Spending } from "./compaction-parts.ts";
import { handoffRequest } from "./texts.ts";

const documentTokensMax = 20_000;
const messagesMin = 2;

export type HandoffParts = {
  readonly using: ModelInUse;
  readonly models: Models;
  readonly sessionId: string;
  /** As the conversation's own requests have them, so that the vendor finds its cache. */
  readonly system: SystemTexts;
  readonly tools: ModelRequest["tools"];
  readonly messages: readonly Message[];
  /** What the next work is about. */
  readonly focus?: string;
  readonly newRequestId: () => string;
  readonly redact: (text: string) => string;
};

export type HandoffDocument =
  | ({ readonly kind: "written"; readonly text: string } & Spending)
  /** The model said nothing; a summary serves instead. */
  | ({ readonly kind: "empty" } & Spending)
  | ({ readonly kind: "failed"; readonly failure: Failure } & Spending);

/** No tool runs, whatever the model asks for. */
export async function handoffDocument(parts: HandoffParts, signal: AbortSignal): Promise<HandoffDocument> {
  const { using, models, redact } = parts;
  const { model } = using;
  const spent = (usage = noUsage): Spending => ({ usage, cost: models.cost(model, usage), model: model.ref });
  if (parts.messages.length < messagesMin) return { kind: "failed", failure: tooEarly, ...spent() };
  let text = "";
  for await (const event of using.provider.stream(requestFor(parts), signal)) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "failed") {
      const failure = { ...event.failure, message: redact(event.failure.message) };
      return { kind: "failed", failure, ...spent() };
    } else if (event.type === "end") {
      const written = redact(text.trim());
      return written === ""
        ? { kind: "empty", ...spent(event.usage) }
        : { kind: "written", text: written, ...spent(event.usage) };
    }
  }
  throw new Error("a provider ended its stream without `end` or `failed`");
}

function requestFor({ using, sessionId, system, tools, messages, focus, newRequestId }: HandoffParts): ModelRequest {
  return {
    model: using.model,
    source: "compaction",
    conversationId: sessionId,
    ...system,
    tools,
    messages: [...messages, { role: "user", text: handoffRequest(focus) }],
    outputTokensMax: Math.min(documentTokensMax, using.model.outputTokensMax),
    requestId: newRequestId(),
  };
}

const tooEarly: Failure = {
  code: "invalid_command",
  message: "Nothing to hand off yet.",
  recovery: "Send a prompt first.",
  retryable: false,
};
