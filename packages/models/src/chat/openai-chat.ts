/** The provider for every vendor that speaks OpenAI's Chat Completions wire. */
import type { Provider } from "@kedge/protocol";
import { createWireProvider, type Wire, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { chatEncoding } from "./chat-request.ts";

const chatWire: Wire = {
  path: () => "/chat/completions",
  authentication: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  encoding: chatEncoding,
  createAnswer: (request) => createChatAnswer(request.requestId),
};

export function createOpenAiChatProvider(options: WireProviderOptions): Provider {
  return createWireProvider(chatWire, options);
}
