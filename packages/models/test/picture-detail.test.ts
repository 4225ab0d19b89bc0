/** Proves who is asked not to shrink small print: only models that know the wish. */
import type { Media, Message, Model } from "@kedge/protocol";
import { startMockModel } from "@kedge/testing";
import { expect, test } from "vitest";
import { createOpenAiChatProvider } from "../src/chat/openai-chat.ts";
import { createOpenAiResponsesProvider } from "../src/responses/openai-responses.ts";
import { sampleRequest } from "./sample-request.ts";

const print: Media = { name: "history-1.png", mediaType: "image/png", base64: "AAAA", detail: "original" };
const plain: Media = { name: "shot.png", mediaType: "image/png", base64: "BBBB" };
const messages: readonly Message[] = [{ role: "user", text: "Read.", media: [print, plain] }];

const modelOf = (ref: string): Model => ({
  ref,
  provider: ref.slice(0, ref.indexOf("/")),
  id: ref.slice(ref.indexOf("/") + 1),
  contextTokens: 1000,
  outputTokensMax: 100,
});

async function detailsSent(make: typeof createOpenAiChatProvider, ref: string): Promise<readonly unknown[]> {
  const mock = await startMockModel({ script: [] });
  try {
    const provider = make({ baseUrl: mock.baseUrl });
    const request = sampleRequest(messages, { model: modelOf(ref) });
    for await (const _ of provider.stream(request, new AbortController().signal));
    const body = mock.requests[0]?.raw.toString() ?? "";
    return [...body.matchAll(/"detail":"(\w+)"/g)].map(([, detail]) => detail);
  } finally {
    await mock.close();
  }
}

test.each([
  ["openai/gpt-5.4", ["original", "auto"], ["original"]],
  ["openai/gpt-6-astra", ["original", "auto"], ["original"]],
  ["openai/gpt-5.4-mini", ["auto", "auto"], []],
  ["openai/gpt-5.1", ["auto", "auto"], []],
  ["proxy/gpt-5.4", ["auto", "auto"], []],
])("%s", async (ref, responses, chat) => {
  expect(await detailsSent(createOpenAiResponsesProvider, ref)).toEqual(responses);
  expect(await detailsSent(createOpenAiChatProvider, ref)).toEqual(chat);
});
