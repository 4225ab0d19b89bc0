/** The provider for every vendor that speaks OpenAI's Chat Completions wire. */
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import { createWireProvider, type Wire, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { chatConversation } from "./chat-conversation.ts";
import { chatEncoding } from "./chat-request.ts";

const chatWire: Wire = {
  path: () => "/chat/completions",
  authentication: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  encoding: chatEncoding,
  conversation: chatConversation,
  createAnswer: createChatAnswer,
};

export function createOpenAiChatProvider(options: WireProviderOptions): RetryableProvider {
  return createWireProvider(chatWire, options);
}
