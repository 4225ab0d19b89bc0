/** Proves over real HTTP how a vendor shortens a conversation, who is sent what it made, and what a refusal changes. */
import type { Message, Model, ModelEvent, Provider } from "@kedge/protocol";
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { createModels } from "../src/create-models.ts";
import { createOpenAiResponsesProvider } from "../src/responses/openai-responses.ts";
import { sampleRequest } from "./sample-request.ts";

const mocks: MockModel[] = [];

afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

async function start(script: MockScript): Promise<MockModel> {
  const mock = await startMockModel({ script });
  mocks.push(mock);
  return mock;
}

const model: Model = { ref: "v/gpt-5.1", provider: "v", id: "gpt-5.1", contextTokens: 1000, outputTokensMax: 100 };
const asking = new AbortController().signal;
const asked = (messages: readonly Message[], changes: Partial<Model> = {}) =>
  sampleRequest(messages, { model: { ...model, ...changes } });

const talk: readonly Message[] = [
  { role: "user", text: "Mend it." },
  {
    role: "assistant",
    content: [{ type: "tool-call", callId: "c1", tool: "read", inputText: "{}" }],
    model: "v/gpt-5.1",
  },
  { role: "tool", callId: "c1", tool: "read", output: "text", isError: false },
];

const sealed = { id: "cmp_1", type: "compaction", encrypted_content: Buffer.from("short").toString("base64") };
const said = {
  type: "message",
  status: "completed",
  role: "user",
  content: [{ type: "input_text", text: "Mend it." }],
};
const history = {
  provider: "v",
  family: "gpt-5",
  json: `${JSON.stringify(said)},${JSON.stringify(sealed)}`,
  tokens: 40 - 30 + 2,
};
const compacted: readonly Message[] = [
  { role: "user", text: "SUMMARY", instead: { history, text: "STATE" } },
  { role: "user", text: "Go on." },
];

async function stream(provider: Provider, messages: readonly Message[], changes: Partial<Model> = {}) {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(asked(messages, changes), asking)) events.push(event);
  return events;
}

/** The part of a request that holds the conversation. */
const inputOf = (mock: MockModel, index: number): unknown => mock.requests[index]?.body.input;

test("the conversation goes out with its instructions and nothing else, and the answer is kept as it came", async () => {
  const mock = await start([{ text: "short", usage: { input: 900, output: 40, reasoning: 30, cached: 100 } }]);
  const provider = createOpenAiResponsesProvider({ baseUrl: mock.baseUrl, apiKey: "secret-key", compaction: true });
  const usage = { input: 800, output: 40, reasoning: 30, cacheRead: 100, cacheWrite: 0 };
  expect(await provider.compact?.(asked(talk), asking)).toEqual({ ok: true, history, usage });
  const [request] = mock.requests;
  expect([request?.path, request?.headers.authorization]).toEqual(["/v1/responses/compact", "Bearer secret-key"]);
  expect(request?.body).toEqual({
    model: "gpt-5.1",
    instructions: "Be exact.",
    input: [
      { role: "user", content: [{ type: "input_text", text: "Mend it." }] },
      { type: "function_call", call_id: "c1", name: "read", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "text" },
    ],
  });
});

test("models of the provider and family are sent it in the place of the summary, all others the summary", async () => {
  const mock = await start([]);
  const provider = createOpenAiResponsesProvider({ baseUrl: mock.baseUrl });
  const text = (value: string) => ({ role: "user", content: [{ type: "input_text", text: value }] });
  await stream(provider, compacted);
  expect(inputOf(mock, 0)).toEqual([said, sealed, text("STATE"), text("Go on.")]);
  await stream(provider, compacted, { ref: "v/gpt-5.2-codex", id: "gpt-5.2-codex" });
  expect(inputOf(mock, 1)).toEqual(inputOf(mock, 0));
  for (const [index, other] of [{ id: "gpt-4.1" }, { id: "o3" }, { provider: "w" }].entries()) {
    await stream(provider, compacted, { ref: `other/${index}`, ...other });
    expect(inputOf(mock, index + 2)).toEqual([text("SUMMARY"), text("Go on.")]);
  }
});

test("other wires know nothing of it", async () => {
  const mock = await start([]);
  const models = createModels({ v: { api: "openai-chat", baseURL: mock.baseUrl, apiKey: "k", compaction: true } });
  const found = await models.find("v/gpt-5.1");
  if (!found.ok) throw new Error(found.failure.message);
  expect(found.provider.compact).toBeUndefined();
  await stream(found.provider, compacted);
  expect(mock.requests[0]?.body.messages?.slice(1).map(({ content }) => content)).toEqual(["SUMMARY", "Go on."]);
});

test("where the vendor cannot read it any more, the same request goes on with the summary, and later ones as well", async () => {
  const mock = await start(({ body }) =>
    JSON.stringify(body.input).includes('"compaction"')
      ? { status: 400, body: '{"error":{"message":"The encrypted content could not be verified."}}' }
      : { text: "Fine." },
  );
  const provider = createOpenAiResponsesProvider({ baseUrl: mock.baseUrl });
  const events = await stream(provider, compacted);
  expect(events.map(({ type }) => type)).toEqual(["notice", "text-delta", "end"]);
  await stream(provider, compacted);
  const texts = mock.requests.map(({ body }) => JSON.stringify(body.input).includes("SUMMARY"));
  expect(texts).toEqual([false, true, true]);
});

test.each([
  [404, { error: { message: "There is no such route." } }, "no more"],
  [400, { error: { message: "Unknown model for this route." } }, "no more"],
  [400, { error: { message: "Too long.", code: "context_length_exceeded" } }, "again"],
  [500, { error: { message: "Broken." } }, "again"],
])("after status %i with %o it is asked %s", async (status, body, how) => {
  const mock = await start([{ status, body: JSON.stringify(body) }, { text: "short" }]);
  const provider = createOpenAiResponsesProvider({ baseUrl: mock.baseUrl, compaction: true });
  expect(await provider.compact?.(asked(talk), asking)).toMatchObject({ ok: false, failure: { status } });
  const second = await provider.compact?.(asked(talk), asking);
  if (how === "again") expect(second).toMatchObject({ ok: true });
  else expect(second).toBeUndefined();
  expect(mock.requests).toHaveLength(how === "again" ? 2 : 1);
});

test.each([
  ["no JSON", "no"],
  ["nothing sealed", JSON.stringify({ output: [said] })],
  ["an empty seal", JSON.stringify({ output: [{ ...sealed, encrypted_content: "" }] })],
])("an answer with %s is a failure", async (_, body) => {
  const mock = await start([{ body }]);
  const provider = createOpenAiResponsesProvider({ baseUrl: mock.baseUrl, compaction: true });
  expect(await provider.compact?.(asked(talk), asking)).toMatchObject({
    ok: false,
    failure: { code: "malformed_response" },
  });
});

test("an abort ends it and leaves no connection", async () => {
  const mock = await start([{ holdUntil: new Promise(() => undefined) }]);
  const provider = createOpenAiResponsesProvider({ baseUrl: mock.baseUrl, compaction: true });
  const stop = new AbortController();
  const answer = provider.compact?.(asked(talk), stop.signal);
  await mock.waitForRequest(1);
  stop.abort();
  expect(await answer).toMatchObject({ ok: false, failure: { code: "aborted" } });
  await mock.waitForSocketsAtMost(0);
});

test("the catalogue says who can, at the vendor's own address; elsewhere the user must say so", async () => {
  const compactOf = async (provider: string, setting: object) => {
    const found = await createModels({ [provider]: { apiKey: "k", ...setting } }).find(`${provider}/gpt-5.1`);
    return found.ok && found.provider.compact !== undefined;
  };
  const elsewhere = { api: "openai-responses", baseURL: "http://127.0.0.1:9/v1" };
  expect(await compactOf("openai", {})).toBe(true);
  expect(await compactOf("openai", { compaction: false })).toBe(false);
  expect(await compactOf("openai", { baseURL: "http://127.0.0.1:9/v1" })).toBe(false);
  expect(await compactOf("other", elsewhere)).toBe(false);
  expect(await compactOf("other", { ...elsewhere, compaction: true })).toBe(true);
});
