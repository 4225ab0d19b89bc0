/** The provider for every vendor that speaks Anthropic's Messages wire. */
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import { createResultGroups } from "../wire/result-groups.ts";
import { createWireProvider, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createAnthropicAnswer } from "./anthropic-answer.ts";
import { anthropicConversation } from "./anthropic-conversation.ts";
import { type CacheTtl, createAnthropicEncoding } from "./anthropic-request.ts";
import { thinkingBudget } from "./anthropic-thinking.ts";
import { createToolReferences, referencesBeta } from "./tool-references.ts";

export type AnthropicOptions = WireProviderOptions & {
  /** Five minutes unless given; an hour is for keys that may pay for it, and never for background requests. */
  readonly cacheTtl?: CacheTtl;
};

const version = { "anthropic-version": "2023-06-01" };

/** Lets models that think within a budget think between calls too; others do so by themselves. */
const interleavedBeta = "interleaved-thinking-2025-05-14";

/** The same object for the same headers. */
const headers = {
  plain: version,
  interleaved: { ...version, "anthropic-beta": interleavedBeta },
  references: { ...version, "anthropic-beta": referencesBeta },
  both: { ...version, "anthropic-beta": `${interleavedBeta},${referencesBeta}` },
};

export function createAnthropicProvider({ cacheTtl = "5m", ...options }: AnthropicOptions): RetryableProvider {
  const groups = createResultGroups();
  const references = createToolReferences(groups.resultsOf);
  return createWireProvider(
    {
      path: () => "/messages",
      headers(request) {
        const isInterleaved = request.tools.length > 0 && thinkingBudget(request) !== undefined;
        if (references.referred(request).size === 0) return isInterleaved ? headers.interleaved : headers.plain;
        return isInterleaved ? headers.both : headers.references;
      },
      authentication: (apiKey) => ({ "x-api-key": apiKey }),
      encoding: createAnthropicEncoding(groups.resultsOf, cacheTtl, references),
      conversation: anthropicConversation,
      arrange: groups.gathered,
      createAnswer: (request) => createAnthropicAnswer(request.requestId),
    },
    options,
  );
}
