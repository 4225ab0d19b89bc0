/** Has the vendor of the model that goes on shorten the same part of a conversation, for the models that can read it. */
import {
  type AssistantBlock,
  attachmentStub,
  type CompactionStrategy,
  type Media,
  type Message,
  type Model,
  type ModelRequest,
  noUsage,
  type VendorHistory,
} from "@kedge/protocol";
import type { SystemTexts } from "../context/context-builder.ts";
import { createMessages } from "../context/messages.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import type { Spending } from "./compaction-parts.ts";
import type { Cut } from "./cut.ts";

export type VendorParts = {
  readonly engine: Pick<EngineParts, "models" | "redact" | "newRequestId">;
  readonly journal: Journal;
  readonly settings: { readonly remoteEnabled: boolean };
};

export type VendorWish = {
  readonly model: Model;
  readonly system: SystemTexts;
  readonly strategy: CompactionStrategy;
  readonly instructions?: string;
  readonly context?: readonly string[];
  readonly outputTokensMax: number;
};

export type VendorAnswer = Spending & { readonly history?: VendorHistory };

const nothing: VendorAnswer = { usage: noUsage, cost: { usd: 0, estimated: false } };

/** Whoever says what to keep is not heard by a vendor, and pictures are there already. A failure costs the history only. */
export async function askVendor(
  cut: Cut,
  { engine, journal, settings }: VendorParts,
  wish: VendorWish,
  signal: AbortSignal,
): Promise<VendorAnswer> {
  const isPlain = wish.instructions === undefined && wish.context === undefined;
  if (!settings.remoteEnabled || wish.strategy !== "summary" || !isPlain) return nothing;
  const found = await engine.models.find(wish.model.ref);
  if (!found.ok || found.provider.compact === undefined || signal.aborted) return nothing;
  const { model, system, outputTokensMax } = wish;
  const { state } = journal;
  const request: ModelRequest = {
    model,
    source: "compaction",
    conversationId: state.sessionId,
    ...system,
    tools: [],
    messages: messagesOf(cut, engine.redact),
    outputTokensMax,
    requestId: engine.newRequestId(),
  };
  const answer = await found.provider.compact(request, signal);
  if (answer === undefined) return nothing;
  if (answer.ok) {
    return { history: answer.history, usage: answer.usage, cost: engine.models.cost(model, answer.usage) };
  }
  if (!signal.aborted) {
    const text = `${model.provider} could not compact the conversation: ${engine.redact(answer.failure.message)} Using the summary instead.`;
    journal.signal({ type: "notice", sessionId: state.sessionId, text });
  }
  return nothing;
}

type Redact = (text: string) => string;

function messagesOf({ history, turnBeginning }: Cut, redact: Redact): readonly Message[] {
  const messages = createMessages().all({ items: [...history, ...turnBeginning] });
  return messages.map((message) => redactedMessage(message, redact));
}

/** What the vendor leaves standing of a conversation is kept in words, so no secret may be among them. */
function redactedMessage(message: Message, redact: Redact): Message {
  switch (message.role) {
    case "user": {
      const { stubs, media } = withoutAttachments(message.media);
      return { ...message, text: redact([message.text, ...stubs].join("\n")), ...media };
    }
    case "tool": {
      const { stubs, media } = withoutAttachments(message.media);
      return { ...message, output: redact([message.output, ...stubs].join("\n")), ...media };
    }
    case "assistant":
      return { ...message, content: message.content.map((block) => redactedBlock(block, redact)) };
  }
}

/** The vendor would send them back, to be carried by every later request. Pictures of the history stay: they are it. */
function withoutAttachments(all: readonly Media[] = []) {
  const kept = all.filter(({ detail }) => detail === "original");
  const stubs = all.filter((media) => !kept.includes(media)).map(attachmentStub);
  return { stubs, media: all.length === 0 ? {} : { media: kept } };
}

/** A signed text goes back as it was signed. */
function redactedBlock(block: AssistantBlock, redact: Redact): AssistantBlock {
  return block.type === "text" && block.signature === undefined ? { ...block, text: redact(block.text) } : block;
}
