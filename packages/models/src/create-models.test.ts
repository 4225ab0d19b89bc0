import { describe, expect, test } from "vitest";
import { openCatalogue } from "./catalogue/open-catalogue.ts";
import type { ProviderSettings } from "./catalogue/provider-settings.ts";
import { createModels } from "./create-models.ts";

const settings: ProviderSettings = {
  mock: {
    api: "openai-chat",
    baseURL: "http://127.0.0.1:1234/v1",
    apiKey: "x",
    models: {
      "mock-model": { context: 200_000, output: 64_000, cost: { input: 3, output: 15 } },
      "vendor/mock-mini": { context: 8_000 },
    },
  },
  local: { api: "openai-chat", baseURL: "http://127.0.0.1:9/v1" },
  other: { api: "smoke-signals", baseURL: "http://127.0.0.1:9/v1" },
  broken: { api: "openai-chat", baseURL: "127.0.0.1:9" },
  nowhere: { apiKey: "x" },
};

const models = createModels(settings);

test("finds a model with its sizes and prices", async () => {
  expect(await models.find("mock/mock-model")).toMatchObject({
    ok: true,
    model: {
      ref: "mock/mock-model",
      provider: "mock",
      id: "mock-model",
      contextTokens: 200_000,
      outputTokensMax: 64_000,
      prices: { input: 3, output: 15 },
    },
  });
});

test("sizes that nobody stated are assumed and marked", async () => {
  expect(await models.find("mock/vendor/mock-mini")).toMatchObject({
    model: { id: "vendor/mock-mini", contextTokens: 8_000, outputTokensMax: 4_096, assumed: true },
  });
  expect(await models.find("local/anything:7b")).toMatchObject({
    model: { id: "anything:7b", contextTokens: 32_000, outputTokensMax: 4_096, assumed: true },
  });
});

test("makes one provider for all models of a vendor", async () => {
  const first = await models.find("mock/mock-model");
  const second = await models.find("mock/vendor/mock-mini");
  const elsewhere = await models.find("local/a");
  if (!first.ok || !second.ok || !elsewhere.ok) throw new Error("All three are configured.");
  expect(second.provider).toBe(first.provider);
  expect(elsewhere.provider).not.toBe(first.provider);
});

test.each([
  ["mock/mock-modle", "invalid_model", /has no model "mock-modle"/, "Did you mean mock/mock-model?"],
  ["mock/gpt", "invalid_model", /has no model "gpt"/, "Configured: mock/mock-model, mock/vendor/mock-mini."],
  ["mock/toString", "invalid_model", /has no model "toString"/, /Configured/],
  [
    "nobody/x",
    "invalid_model",
    /Unknown provider "nobody"; configured: mock, local, other, broken, nowhere\./,
    /[Aa]dd it under "provider"/,
  ],
  ["constructor/x", "invalid_model", /Unknown provider "constructor"/, /[Aa]dd it under "provider"/],
  ["mock-model", "invalid_model", /"mock-model" is not a model/, "Use the form provider/model."],
  ["", "no_model", /No model selected/, "Use the form provider/model."],
  ["antropic/x", "invalid_model", /Unknown provider "antropic"/, /Did you mean anthropic\?/],
  ["other/x", "configuration", /has api "smoke-signals"/, /^Set "api" to openai-chat, .*, ai-sdk\.$/],
  ["nowhere/x", "configuration", /"nowhere" has no "api"/, /^Set "api" to/],
  ["broken/x", "configuration", /"baseURL" of the provider "broken"/, /https/],
])("does not find %j: %s", async (ref, code, message, recovery) => {
  expect(await models.find(ref)).toEqual({
    ok: false,
    failure: {
      code,
      message: expect.stringMatching(message),
      recovery: expect.stringMatching(recovery),
      retryable: false,
    },
  });
});

test("without any provider there is no model", async () => {
  expect(await createModels({}).find("mock/mock-model")).toMatchObject({ ok: false, failure: { code: "no_model" } });
});

test("what a configuration describes whole needs neither the disk nor a key", async () => {
  const asked: string[] = [];
  const catalogue = openCatalogue({
    cached: () => {
      asked.push("disk");
      return undefined;
    },
  });
  const found = await createModels(settings, { catalogue, keyOf: () => undefined }).find("mock/mock-model");
  expect(found.ok).toBe(true);
  expect(asked).toEqual([]);
});

describe("a vendor of the catalogue", () => {
  const keyOf = (_provider: string, variables: readonly string[]) =>
    variables.includes("ANTHROPIC_API_KEY") ? "key-of-the-environment" : undefined;

  test("is found by its key alone, with everything that is known of the model", async () => {
    expect(await createModels({}, { keyOf }).find("anthropic/claude-haiku-4-5")).toEqual({
      ok: true,
      provider: expect.anything(),
      model: {
        ref: "anthropic/claude-haiku-4-5",
        provider: "anthropic",
        id: "claude-haiku-4-5",
        name: "Claude Haiku 4.5",
        contextTokens: 200_000,
        outputTokensMax: 64_000,
        prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
        capabilities: {
          tools: true,
          reasoning: "budget",
          images: true,
          documents: true,
          mediaInToolResults: true,
          temperature: true,
          cacheMarks: true,
          webSearch: true,
        },
      },
    });
  });

  test("without a key says which variable and which command would help", async () => {
    expect(await createModels({}, { keyOf }).find("groq/openai/gpt-oss-120b")).toEqual({
      ok: false,
      failure: {
        code: "invalid_api_key",
        message: 'No API key for the provider "groq".',
        recovery: "Set GROQ_API_KEY, or run `kedge auth login groq`.",
        retryable: false,
      },
    });
  });

  test("takes the user's settings field by field", async () => {
    const changed = createModels(
      {
        anthropic: {
          models: {
            "claude-haiku-4-5": {
              name: "Mine",
              output: 1_000,
              cost: { cacheRead: 0.5 },
              images: false,
              temperature: 0.2,
            },
          },
        },
      },
      { keyOf },
    );
    expect(await changed.find("anthropic/claude-haiku-4-5")).toMatchObject({
      model: {
        name: "Mine",
        contextTokens: 200_000,
        outputTokensMax: 1_000,
        prices: { input: 1, output: 5, cacheRead: 0.5, cacheWrite: 1.25 },
        capabilities: { images: false, documents: true, reasoning: "budget" },
        temperature: 0.2,
      },
    });
    expect(await changed.find("anthropic/claude-opus-4-5")).toMatchObject({ ok: true });
  });

  test("may have models that the catalogue does not know yet, but a slip of the fingers is pointed out", async () => {
    const models = createModels({}, { keyOf });
    expect(await models.find("anthropic/claude-opus-9")).toMatchObject({
      ok: true,
      model: { contextTokens: 32_000, outputTokensMax: 4_096, assumed: true },
    });
    expect(await models.find("anthropic/claude-hiaku-4-5")).toMatchObject({
      ok: false,
      failure: { code: "invalid_model", recovery: expect.stringMatching(/^Did you mean anthropic\/claude-haiku-4-5/) },
    });
  });

  test("whose address has a slot is found with the variable that fills it", async () => {
    const found = (resource: string | undefined) =>
      createModels(
        {},
        { keyOf: () => "key", variable: (name) => (name === "AZURE_RESOURCE_NAME" ? resource : undefined) },
      ).find("azure/gpt-5");
    expect(await found("mine")).toMatchObject({
      ok: true,
      model: { quirks: ["max-completion-tokens"] },
    });
    for (const wrong of [undefined, "", "evil.example/x?", "a@b", "..", "a b"]) {
      expect(await found(wrong)).toMatchObject({
        ok: false,
        failure: { code: "configuration", message: expect.stringContaining("AZURE_RESOURCE_NAME") },
      });
    }
  });
});

test("a limit of the request leaves the rest of the window to the answer", async () => {
  const models = createModels({}, { keyOf: () => "key" });
  expect(await models.find("openai/gpt-5.4")).toMatchObject({
    model: { contextTokens: 400_000, outputTokensMax: 128_000 },
  });
  expect(await models.find("openai/gpt-4.1")).toMatchObject({ model: { contextTokens: 1_047_576 } });
});

test("a package that only a fetched list names is never loaded", async () => {
  const cached = [
    '{"format":1,"date":"2026-11-16"}',
    '{"id":"newcomer","name":"Newcomer","api":"ai-sdk","package":"newcomer-provider","keys":["NEWCOMER_KEY"],"models":{}}',
  ].join("\n");
  const catalogue = openCatalogue({ cached: () => cached });
  const loaded: string[] = [];
  const loadPackage = async (name: string) => {
    loaded.push(name);
    return {};
  };
  const options = { catalogue, keyOf: () => "key", loadPackage };
  expect(await createModels({}, options).find("newcomer/x")).toMatchObject({
    ok: false,
    failure: { code: "configuration", recovery: expect.stringContaining('"npm": "newcomer-provider"') },
  });
  const chosen = await createModels({ newcomer: { npm: "newcomer-provider" } }, options).find("newcomer/x");
  expect(chosen.ok).toBe(true);
  expect(loaded).toEqual([]);
});

test.each([
  ["Qwen/Qwen3-Coder", 0.55],
  ["gemini-2.5-pro", 1],
  ["moonshotai/Kimi-K2-Instruct", 0.6],
  ["kimi-k3", undefined],
  ["claude-sonnet-4-5", undefined],
])("the temperature of %s is %s unless somebody chose one", async (id, temperature) => {
  const found = await createModels(settings).find(`local/${id}`);
  expect(found.ok && found.model.temperature).toBe(temperature);
});

test("requests are tried again when somebody says how to wait", async () => {
  const waited: number[] = [];
  const stopping = new AbortController();
  const wait = async (delayMs: number) => {
    waited.push(delayMs);
    if (waited.length === 2) stopping.abort();
  };
  const retry = { clock: { now: () => 0 }, random: () => 0, wait, unattended: false };
  const found = await createModels(settings, { retry }).find("local/x");
  if (!found.ok) throw new Error(found.failure.message);
  const events: string[] = [];
  const request = {
    model: found.model,
    source: "main",
    conversationId: "c",
    system: "",
    tools: [],
    messages: [{ role: "user", text: "hello" }],
    outputTokensMax: 10,
    requestId: "r",
  } as const;
  for await (const event of found.provider.stream(request, stopping.signal)) events.push(event.type);
  expect(events).toEqual(["retrying", "retrying", "failed"]);
});
