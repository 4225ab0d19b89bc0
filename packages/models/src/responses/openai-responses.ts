/** The provider for vendors that speak OpenAI's Responses wire. */
import type { Provider } from "@kedge/protocol";
import { createWireProvider, type Wire, type WireProviderOptions } from "../wire/wire-provider.ts";
import { createResponsesAnswer } from "./responses-answer.ts";
import { responsesEncoding } from "./responses-request.ts";

const responsesWire: Wire = {
  path: () => "/responses",
  authentication: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  encoding: responsesEncoding,
  createAnswer: createResponsesAnswer,
};

export function createOpenAiResponsesProvider(options: WireProviderOptions): Provider {
  return createWireProvider(responsesWire, options);
}
