/** Proves that the Chat Completions adapter keeps the Provider contract over real HTTP. */
import { chatMockWire, providerMatrix } from "@kedge/testing";
import { describe, test } from "vitest";
import { createOpenAiChatProvider } from "../src/chat/openai-chat.ts";

describe("provider matrix: openai-chat", () => {
  for (const { name, run } of providerMatrix({ wire: chatMockWire, make: createOpenAiChatProvider })) test(name, run);
});
