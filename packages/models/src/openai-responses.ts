/** The provider for vendors that speak OpenAI's Responses wire. */
import type { Provider } from "@kedge/protocol";
import { createResponsesAnswer } from "./wire/responses-answer.ts";
import { responsesEncoding } from "./wire/responses-request.ts";
import { createWireProvider, type Wire, type WireProviderOptions } from "./wire/wire-provider.ts";

const responsesWire: Wire = {
  path: () => "/responses",
  authentication: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  encoding: responsesEncoding,
  createAnswer: createResponsesAnswer,
};

export function createOpenAiResponsesProvider(options: WireProviderOptions): Provider {
  return createWireProvider(responsesWire, options);
}
