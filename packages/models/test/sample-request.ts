/** The request that tests of the wires vary. */
import type { Message } from "@kedge/protocol";
import type { WireRequest } from "../src/wire/request-body.ts";

export function sampleRequest(messages: readonly Message[], changes: Partial<WireRequest> = {}): WireRequest {
  return {
    model: { ref: "m/a", provider: "m", id: "a", contextTokens: 1000, outputTokensMax: 100 },
    source: "main",
    conversationId: "ses_1",
    system: "Be exact.",
    tools: [],
    messages,
    outputTokensMax: 100,
    requestId: "r",
    ...changes,
  };
}
