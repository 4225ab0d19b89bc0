/** The provider for Google's generateContent wire. */
import type { Provider } from "@kedge/protocol";
import { createResultGroups } from "../wire/result-groups.ts";
import { createWireProvider, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createGoogleAnswer } from "./google-answer.ts";
import { createGoogleEncoding } from "./google-request.ts";

export function createGoogleProvider(options: WireProviderOptions): Provider {
  const groups = createResultGroups();
  return createWireProvider(
    {
      path: ({ model }) => `/models/${pathOf(model.id)}:streamGenerateContent?alt=sse`,
      authentication: (apiKey) => ({ "x-goog-api-key": apiKey }),
      encoding: createGoogleEncoding(groups.resultsOf),
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
