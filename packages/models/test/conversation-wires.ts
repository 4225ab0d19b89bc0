/** The four wires as the tests of conversations see them: how to reach each, and what its requests say in common words. */
import type { AssistantBlock, Message, Model, ModelCapabilities, ModelRequest, Provider } from "@kedge/protocol";
import {
  anthropicMockWire,
  chatMockWire,
  googleMockWire,
  type MockModel,
  type MockWire,
  responsesMockWire,
} from "@kedge/testing";
import { createAnthropicProvider } from "../src/anthropic/anthropic.ts";
import { anthropicConversation } from "../src/anthropic/anthropic-conversation.ts";
import { chatConversation } from "../src/chat/chat-conversation.ts";
import { createOpenAiChatProvider } from "../src/chat/openai-chat.ts";
import type { WireConversationRules } from "../src/conversation/wire-conversation-rules.ts";
import { createGoogleProvider } from "../src/google/google.ts";
import { googleConversation } from "../src/google/google-conversation.ts";
import { createOpenAiResponsesProvider } from "../src/responses/openai-responses.ts";
import { responsesConversation } from "../src/responses/responses-conversation.ts";

/** One element of a request's conversation. */
export type Turn = {
  readonly role: "user" | "assistant" | "tool";
  readonly calls: readonly string[];
  readonly results: readonly string[];
  readonly texts: readonly string[];
};

export type ConversationWire = {
  readonly name: string;
  readonly mockWire: MockWire;
  readonly make: (options: { readonly baseUrl: string }) => Provider;
  readonly rules: WireConversationRules;
  readonly model: Model;
  /** Whether all results of one answer stand in one element. */
  readonly gathersResults: boolean;
  /** What follows the conversation in a body. */
  readonly messagesEnd: string;
  readonly messagesOf: (body: Json) => readonly Json[];
  readonly turnOf: (element: Json) => Turn;
  /** A block that this vendor signed, in the form its reader reports. */
  readonly signedBlock: (signature: string, callId: string) => AssistantBlock;
};

/** A parsed request of any of four forms; a wrong path into it fails the assertion that took it. */
export type Json = ReturnType<typeof JSON.parse>;

const capabilities: ModelCapabilities = {
  tools: true,
  reasoning: "effort",
  images: true,
  documents: true,
  mediaInToolResults: true,
  temperature: true,
  cacheMarks: true,
  webSearch: false,
};

function modelOf(name: string): Model {
  return {
    ref: `${name}/one`,
    provider: name,
    id: `${name}-one`,
    contextTokens: 200_000,
    outputTokensMax: 8_000,
    capabilities,
  };
}

const chatWire: ConversationWire = {
  name: "chat",
  mockWire: chatMockWire,
  make: createOpenAiChatProvider,
  rules: chatConversation,
  model: modelOf("chat"),
  gathersResults: false,
  messagesEnd: '],"max_tokens"',
  messagesOf: (body) => body.messages.filter((message: Json) => message.role !== "system"),
  turnOf: (message) => ({
    role: message.role,
    calls: (message.tool_calls ?? []).map((call: Json) => call.id),
    results: message.role === "tool" ? [message.tool_call_id] : [],
    texts: textsOf(message.content),
  }),
  signedBlock: (signature) => ({
    type: "reasoning",
    text: "hm",
    signature: JSON.stringify([{ type: "reasoning.encrypted", data: signature }]),
  }),
};

/** The same with everything that Mistral wants otherwise. */
export const quirkyWire: ConversationWire = {
  ...chatWire,
  name: "mistral",
  model: { ...modelOf("mistral"), quirks: ["nine-character-call-ids", "assistant-after-results"] },
};

export const conversationWires: readonly ConversationWire[] = [
  chatWire,
  {
    name: "anthropic",
    mockWire: anthropicMockWire,
    make: createAnthropicProvider,
    rules: anthropicConversation,
    model: modelOf("anthropic"),
    gathersResults: true,
    messagesEnd: '],"max_tokens"',
    messagesOf: (body) => body.messages,
    turnOf: ({ role, content }) => {
      const results = content.filter((block: Json) => block.type === "tool_result");
      return {
        role: results.length > 0 ? "tool" : role,
        calls: content.filter((block: Json) => block.type === "tool_use").map((block: Json) => block.id),
        results: results.map((block: Json) => block.tool_use_id),
        texts: textsOf(content),
      };
    },
    signedBlock: (signature) => ({ type: "reasoning", text: "hm", signature }),
  },
  {
    name: "google",
    mockWire: googleMockWire,
    make: createGoogleProvider,
    rules: googleConversation,
    model: modelOf("google"),
    gathersResults: true,
    messagesEnd: '],"generationConfig"',
    messagesOf: (body) => body.contents,
    turnOf: ({ role, parts }) => {
      const idsOf = (member: string) =>
        parts.filter((part: Json) => part[member] !== undefined).map((part: Json) => part[member].id);
      const results = idsOf("functionResponse");
      return {
        role: results.length > 0 ? "tool" : role === "model" ? "assistant" : "user",
        calls: idsOf("functionCall"),
        results,
        texts: textsOf(parts.filter((part: Json) => part.thoughtSignature === undefined)),
      };
    },
    signedBlock: (signature, callId) => ({ type: "tool-call", callId, tool: "read", inputText: "{}", signature }),
  },
  {
    name: "responses",
    mockWire: responsesMockWire,
    make: createOpenAiResponsesProvider,
    rules: responsesConversation,
    model: modelOf("responses"),
    gathersResults: false,
    messagesEnd: '],"max_output_tokens"',
    messagesOf: (body) => body.input,
    turnOf: (item) => ({
      role: item.type === "function_call_output" ? "tool" : (item.role ?? "assistant"),
      calls: item.type === "function_call" ? [item.call_id] : [],
      results: item.type === "function_call_output" ? [item.call_id] : [],
      texts: textsOf(item.content ?? []),
    }),
    signedBlock: (signature) => ({
      type: "reasoning",
      text: "hm",
      signature: JSON.stringify({ id: "rs_1", encrypted_content: signature }),
    }),
  },
];

function textsOf(content: Json): readonly string[] {
  if (typeof content === "string") return [content];
  return (content ?? []).filter((part: Json) => typeof part.text === "string").map((part: Json) => part.text);
}

export function conversationRequest(model: Model, messages: readonly Message[]): ModelRequest {
  return {
    model,
    source: "main",
    conversationId: "ses_1",
    system: "Be exact.",
    tools: [{ name: "read", description: "Reads a file.", inputSchema: { type: "object" } }],
    messages,
    outputTokensMax: 1_000,
    requestId: "req-1",
  };
}

/** The answer as the engine would keep it. A failure is thrown with all that is known of it. */
export async function answerOf(provider: Provider, request: ModelRequest): Promise<Message> {
  const content: AssistantBlock[] = [];
  let open: "text" | "reasoning" | undefined;
  const append = (type: "text" | "reasoning", text: string) => {
    const last = content.at(-1);
    if (open === type && last?.type === type) content[content.length - 1] = { ...last, text: last.text + text };
    else content.push({ type, text });
    open = type;
  };
  for await (const event of provider.stream(request, new AbortController().signal)) {
    if (event.type === "failed") throw new Error(JSON.stringify(event.failure));
    if (event.type === "text-delta") append("text", event.text);
    if (event.type === "reasoning-delta") append("reasoning", event.text);
    if (event.type === "tool-call") content.push(event.call);
    if (event.type === "vendor-block") content.push(event.block);
    if (event.type === "block-end") {
      if (event.signature !== undefined) {
        append(event.block, "");
        const last = content.at(-1);
        if (last?.type === event.block) content[content.length - 1] = { ...last, signature: event.signature };
      }
      open = undefined;
    }
  }
  return { role: "assistant", content, model: request.model.ref };
}

export function lastBody(mock: MockModel): string {
  return mock.requests.at(-1)?.raw.toString() ?? "";
}
