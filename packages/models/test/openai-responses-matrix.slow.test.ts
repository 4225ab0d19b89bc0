/** Proves that the Responses adapter keeps the Provider contract over real HTTP. */
import { providerMatrix, responsesMockWire } from "@kedge/testing";
import { describe, test } from "vitest";
import { createOpenAiResponsesProvider } from "../src/responses/openai-responses.ts";

describe("provider matrix: openai-responses", () => {
  const subject = { wire: responsesMockWire, make: createOpenAiResponsesProvider };
  for (const { name, run } of providerMatrix(subject)) test(name, run);
});
