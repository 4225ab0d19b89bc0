/** Messages, models and rules that tests of conversations are written with. */
import type {
  AssistantBlock,
  Media,
  Message,
  Model,
  ModelCapabilities,
  TextBlock,
  ToolCallBlock,
} from "@kedge/protocol";
import { createNormaliser } from "../src/conversation/normalise.ts";
import type {
  AssistantMessage,
  ToolMessage,
  UserMessage,
  WireConversationRules,
} from "../src/conversation/wire-conversation-rules.ts";

export const free: WireConversationRules = { alternates: false, mediaInResults: "always" };
export const strict: WireConversationRules = { alternates: true, mediaInResults: "never" };

export const capabilities: ModelCapabilities = {
  tools: true,
  reasoning: "none",
  images: true,
  documents: true,
  mediaInToolResults: false,
  temperature: true,
  cacheMarks: false,
  webSearch: false,
};

export const model: Model = { ref: "a/one", provider: "a", id: "one", contextTokens: 1000, outputTokensMax: 100 };

export function user(text: string, media?: readonly Media[]): UserMessage {
  return media === undefined ? { role: "user", text } : { role: "user", text, media };
}

/** An answer of `model`. */
export function answer(...content: readonly AssistantBlock[]): AssistantMessage {
  return { role: "assistant", content, model: model.ref };
}

export function said(text: string): TextBlock {
  return { type: "text", text };
}

export function call(callId: string): ToolCallBlock {
  return { type: "tool-call", callId, tool: "read", inputText: "{}" };
}

export function result(callId: string, output = "ok"): ToolMessage {
  return { role: "tool", callId, tool: "read", output, isError: false };
}

/** Six bytes large. */
export function picture(name: string): Media {
  return { name, mediaType: "image/png", base64: "iVBORw0K" };
}

export function normalised(
  messages: readonly Message[],
  { rules = free, changes = {} }: { readonly rules?: WireConversationRules; readonly changes?: Partial<Model> } = {},
): { readonly messages: readonly Message[]; readonly repairs: readonly string[] } {
  const repairs: string[] = [];
  const normalise = createNormaliser(rules, { onRepair: (sentence) => repairs.push(sentence) });
  return { messages: normalise({ messages, model: { ...model, ...changes } }), repairs };
}
