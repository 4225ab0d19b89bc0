/** Proves that a document for a new session is asked for with the live conversation before it, and what may come of it. */
import type { ModelEvent } from "@kedge/protocol";
import { createScriptedProvider } from "@kedge/testing";
import { expect, test } from "vitest";
import { type HandoffParts, handoffDocument } from "./handoff.ts";

const usage = { input: 90, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const end: ModelEvent = { type: "end", stopReason: "end", usage };
const model = { ref: "mock/model", provider: "mock", id: "model", contextTokens: 100_000, outputTokensMax: 50_000 };
const messages: HandoffParts["messages"] = [
  { role: "user", text: "Mend the parser." },
  { role: "assistant", content: [{ type: "text", text: "Half done." }], model: "mock/model" },
];
const tools = [{ name: "read", description: "reads", inputSchema: { type: "object" } }] as const;
const spent = { usage, cost: { usd: 1, estimated: false }, model: "mock/model" };

async function ask(answer: readonly ModelEvent[], change: Partial<HandoffParts> = {}) {
  const provider = createScriptedProvider([answer]);
  const parts: HandoffParts = {
    using: { model, provider },
    models: {
      find: async () => ({ ok: true, model, provider }),
      cost: (_, { input }) => ({ usd: input === 0 ? 0 : 1, estimated: false }),
    },
    sessionId: "ses_1",
    system: { system: "SYSTEM", systemTail: "TAIL" },
    tools,
    messages,
    newRequestId: () => "request-1",
    redact: (text) => text.replaceAll("hunter2", "[REDACTED]"),
    ...change,
  };
  return { document: await handoffDocument(parts, new AbortController().signal), requests: provider.requests };
}

test("the request begins with the bytes of the conversation's own, and the document is redacted", async () => {
  const said: readonly ModelEvent[] = [{ type: "text-delta", text: " The key is hunter2.\n" }, end];
  const { document, requests } = await ask(said, { focus: "the lexer" });
  expect(document).toEqual({ kind: "written", text: "The key is [REDACTED].", ...spent });
  expect(requests).toEqual([
    {
      model,
      source: "compaction",
      conversationId: "ses_1",
      system: "SYSTEM",
      systemTail: "TAIL",
      tools,
      messages: [
        ...messages,
        { role: "user", text: expect.stringContaining("The next work is about this: the lexer") },
      ],
      outputTokensMax: 20_000,
      requestId: "request-1",
    },
  ]);
});

test("a model that only calls tools wrote nothing, a failure stays one, and too early there is nothing to hand over", async () => {
  const called: ModelEvent = {
    type: "tool-call",
    call: { type: "tool-call", callId: "a", tool: "read", inputText: "{}" },
  };
  expect((await ask([called, end])).document).toEqual({ kind: "empty", ...spent });
  const failure = { code: "server_error", message: "hunter2 is busy.", retryable: true } as const;
  expect((await ask([{ type: "failed", failure }])).document).toMatchObject({
    kind: "failed",
    failure: { code: "server_error", message: "[REDACTED] is busy." },
  });
  const early = await ask([end], { messages: messages.slice(0, 1) });
  expect(early.document).toMatchObject({ kind: "failed", failure: { code: "invalid_command" } });
  expect(early.requests).toEqual([]);
});
