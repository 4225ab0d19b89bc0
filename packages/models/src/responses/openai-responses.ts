/** The provider for vendors that speak OpenAI's Responses wire. */
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import { createWireProvider, type Wire, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createResponsesAnswer } from "./responses-answer.ts";
import { responsesCompaction } from "./responses-compaction.ts";
import { responsesConversation } from "./responses-conversation.ts";
import { responsesEncoding } from "./responses-request.ts";

const responsesWire: Wire = {
  path: () => "/responses",
  authentication: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  encoding: responsesEncoding,
  conversation: responsesConversation,
  createAnswer: createResponsesAnswer,
  compaction: responsesCompaction,
};

export function createOpenAiResponsesProvider(options: WireProviderOptions): RetryableProvider {
  return createWireProvider(responsesWire, options);
}
