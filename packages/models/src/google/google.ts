/** The provider for Google's generateContent wire. */
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import { createResultGroups } from "../wire/result-groups.ts";
import { createWireProvider, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createGoogleAnswer } from "./google-answer.ts";
import { googleConversation } from "./google-conversation.ts";
import { createGoogleEncoding } from "./google-request.ts";

export function createGoogleProvider(options: WireProviderOptions): RetryableProvider {
  const groups = createResultGroups();
  return createWireProvider(
    {
      path: ({ model, whole }) =>
        `/models/${pathOf(model.id)}:${whole === true ? "generateContent" : "streamGenerateContent?alt=sse"}`,
      authentication: (apiKey) => ({ "x-goog-api-key": apiKey }),
      encoding: createGoogleEncoding(groups.resultsOf),
      conversation: googleConversation,
      arrange: groups.gathered,
      createAnswer: (request) => createGoogleAnswer(request.requestId),
    },
    options,
  );
}

/** Gateways have ids of several segments. */
function pathOf(modelId: string): string {
  return modelId.split("/").map(encodeURIComponent).join("/");
}
