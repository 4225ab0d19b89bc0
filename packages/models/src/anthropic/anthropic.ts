/** The provider for every vendor that speaks Anthropic's Messages wire. */
import type { Provider } from "@kedge/protocol";
import { createResultGroups } from "../wire/result-groups.ts";
import { createWireProvider, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createAnthropicAnswer } from "./anthropic-answer.ts";
import { createAnthropicEncoding } from "./anthropic-request.ts";

export function createAnthropicProvider(options: WireProviderOptions): Provider {
  const groups = createResultGroups();
  return createWireProvider(
    {
      path: () => "/messages",
      headers: { "anthropic-version": "2023-06-01" },
      authentication: (apiKey) => ({ "x-api-key": apiKey }),
      encoding: createAnthropicEncoding(groups.resultsOf),
      arrange: groups.gathered,
      createAnswer: (request) => createAnthropicAnswer(request.requestId),
    },
    options,
  );
}
