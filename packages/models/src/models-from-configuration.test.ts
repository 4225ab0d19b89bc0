import { expect, test } from "vitest";
import { createModels, type ProviderSettings } from "./models-from-configuration.ts";

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
  ["nobody/x", "invalid_model", /no provider "nobody"; configured: mock, local, other, broken\./, /Add it/],
  ["constructor/x", "invalid_model", /no provider "constructor"/, /Add it/],
  ["mock-model", "invalid_model", /"mock-model" does not name a model/, "Write the model as provider/model."],
  ["", "no_model", /No model is chosen/, "Write the model as provider/model."],
  ["other/x", "configuration", /has api "smoke-signals"/, 'Set "api" to openai-chat.'],
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
