/** The provider for every vendor that speaks Anthropic's Messages wire. */
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import { createResultGroups } from "../wire/result-groups.ts";
import { createWireProvider, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createAnthropicAnswer } from "./anthropic-answer.ts";
import { anthropicConversation } from "./anthropic-conversation.ts";
import { type CacheTtl, createAnthropicEncoding } from "./anthropic-request.ts";
import { thinkingBudget } from "./anthropic-thinking.ts";

export type AnthropicOptions = WireProviderOptions & {
  /** Five minutes unless given; an hour is for keys that may pay for it, and never for background requests. */
  readonly cacheTtl?: CacheTtl;
};

const headers = { "anthropic-version": "2023-06-01" };

/** Lets models that think within a budget think between calls too; others do so by themselves. */
const interleavedHeaders = { ...headers, "anthropic-beta": "interleaved-thinking-2025-05-14" };

export function createAnthropicProvider({ cacheTtl = "5m", ...options }: AnthropicOptions): RetryableProvider {
  const groups = createResultGroups();
  return createWireProvider(
    {
      path: () => "/messages",
      headers: (request) =>
        request.tools.length > 0 && thinkingBudget(request) !== undefined ? interleavedHeaders : headers,
      authentication: (apiKey) => ({ "x-api-key": apiKey }),
      encoding: createAnthropicEncoding(groups.resultsOf, cacheTtl),
      conversation: anthropicConversation,
      arrange: groups.gathered,
      createAnswer: (request) => createAnthropicAnswer(request.requestId),
    },
    options,
  );
}
