/** The catalogue that ships with kedge: whom it knows, that each can be reached, and that no number is missing. */
import { describe, expect, test } from "vitest";
import { openCatalogue } from "../src/catalogue/open-catalogue.ts";
import { createModels } from "../src/create-models.ts";
import { listModels } from "../src/index.ts";

const roster = [
  ["anthropic", "anthropic"],
  ["openai", "openai-responses"],
  ["google", "google"],
  ["google-vertex", "ai-sdk"],
  ["google-vertex-anthropic", "ai-sdk"],
  ["amazon-bedrock", "ai-sdk"],
  ["azure", "openai-chat"],
  ["xai", "openai-chat"],
  ["mistral", "openai-chat"],
  ["groq", "openai-chat"],
  ["openrouter", "openai-chat"],
  ["deepinfra", "openai-chat"],
  ["cerebras", "openai-chat"],
  ["cohere", "ai-sdk"],
  ["togetherai", "openai-chat"],
  ["perplexity", "openai-chat"],
  ["vercel", "openai-chat"],
  ["gitlab", "ai-sdk"],
  ["github-copilot", "openai-chat"],
  ["openai-compatible", "openai-chat"],
  ["gateway", "openai-chat"],
  ["ollama", "openai-chat"],
  ["lmstudio", "openai-chat"],
  ["llamacpp", "openai-chat"],
  ["vllm", "openai-chat"],
] as const;

const catalogue = openCatalogue();
const loaded: string[] = [];
const everything = {
  catalogue,
  keyOf: () => "a-key-for-everything",
  variable: (name: string) => (name.endsWith("_URL") ? "http://127.0.0.1:9/v1" : "name"),
  loadPackage: async (name: string) => {
    loaded.push(name);
    return {};
  },
};

test("the roster is complete, each on its wire", () => {
  expect(roster.map(([id]) => [id, catalogue.provider(id)?.api])).toEqual(roster);
});

test("a client is made for each id without network, and no package is loaded for it", async () => {
  const ids = catalogue.ids();
  expect(ids.length).toBeGreaterThanOrEqual(75);
  // Nobody listens at the ports of the local servers here, or whoever does is asked nothing but its models.
  const models = createModels({}, everything);
  for (const id of ids) {
    const model = Object.keys(catalogue.provider(id)?.models ?? {})[0] ?? "some-model";
    const found = await models.find(`${id}/${model}`);
    expect(found, id).toMatchObject({ ok: true, model: { provider: id, id: model } });
  }
  expect(loaded).toEqual([]);
});

test("every id that is no local server asks for a key, and says where it would look", async () => {
  const models = createModels({}, { catalogue, variable: everything.variable });
  for (const id of catalogue.ids()) {
    const row = catalogue.provider(id);
    if (row?.keyOptional) continue;
    expect(row?.keys.length, id).toBeGreaterThan(0);
    expect(await models.find(`${id}/x`), id).toMatchObject({
      ok: false,
      failure: { code: "invalid_api_key", recovery: expect.stringContaining(`\`kedge auth login ${id}\``) },
    });
  }
});

test("with no cached list every number of every model is there", () => {
  const listed = listModels({}, { ...everything, localServers: [] });
  const models = listed.flatMap((provider) => provider.models);
  expect(models.length).toBeGreaterThan(300);
  const incomplete = models.filter(
    (model) => model.assumed || model.prices === undefined || model.name === undefined || model.family === undefined,
  );
  expect(incomplete.map((model) => model.ref)).toEqual([]);
  const impossible = models.filter(
    (model) =>
      model.outputTokensMax > model.contextTokens ||
      (model.prices?.cacheRead ?? 0) > (model.prices?.input ?? 0) ||
      (model.prices?.output ?? 0) < (model.prices?.input ?? 0) * 0.9,
  );
  expect(impossible.map((model) => model.ref)).toEqual([]);
});

describe("rates in US dollars per million tokens", () => {
  test.each([
    [["claude-3-5-sonnet-20240620", "claude-3-5-sonnet-20241022", "claude-3-7-sonnet-20250219"], 3, 15],
    [["claude-sonnet-4-0", "claude-sonnet-4-5", "claude-sonnet-4-6"], 3, 15],
    [["claude-opus-4-0", "claude-opus-4-20250514", "claude-opus-4-1"], 15, 75],
    [["claude-opus-4-5", "claude-opus-4-6"], 5, 25],
    [["claude-opus-4-6-fast"], 30, 150],
    [["claude-haiku-4-5"], 1, 5],
  ])("%j: %d in, %d out", (ids, input, output) => {
    for (const id of ids) {
      const cost = catalogue.provider("anthropic")?.models[id]?.cost;
      expect(cost, id).toEqual({ input, output, cacheRead: input / 10, cacheWrite: input * 1.25 });
    }
  });
});

test("Mistral's peculiarities and those of a LiteLLM proxy are in its row", () => {
  expect(catalogue.provider("mistral")?.quirks).toEqual(["nine-character-call-ids", "assistant-after-results"]);
  expect(catalogue.provider("litellm")?.quirks).toEqual(["tools-after-calls"]);
});

test("credentials of a cloud go to its package without its looking at the environment or at a metadata server", async () => {
  const environment: { readonly [name: string]: string } = {
    GOOGLE_CLOUD_PROJECT: "project-1",
    GOOGLE_CLOUD_LOCATION: "europe-west4",
    GOOGLE_APPLICATION_CREDENTIALS: "/keys/one.json",
  };
  let received: unknown;
  const models = createModels(
    {},
    {
      catalogue,
      variable: (name) => environment[name],
      keyOf: (_id, names) => names.map((name) => environment[name]).find((value) => value !== undefined),
      loadPackage: async () => ({
        createVertexAnthropic: (settings: unknown) => {
          received = settings;
          throw new Error("far enough");
        },
      }),
    },
  );
  const found = await models.find("google-vertex-anthropic/claude-sonnet-4-6@default");
  if (!found.ok) throw new Error(found.failure.message);
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
  for await (const event of found.provider.stream(request, new AbortController().signal))
    expect(event.type).toBe("failed");
  expect(received).toEqual({
    project: "project-1",
    location: "europe-west4",
    googleAuthOptions: { keyFilename: "/keys/one.json" },
    fetch: expect.any(Function),
  });
});

describe("a newer list on disk", () => {
  const cachedLines = (...rows: readonly object[]) =>
    ['{"format":1,"date":"2026-11-16T00:00:00.000Z"}', ...rows.map((row) => JSON.stringify(row))].join("\n");
  const open = (...rows: readonly object[]) => openCatalogue({ cached: () => cachedLines(...rows) });

  test("corrects and adds models of a known vendor, field by field", () => {
    const merged = open({
      id: "xai",
      name: "Somebody else",
      api: "anthropic",
      baseURL: "https://evil.invalid",
      keys: ["ANTHROPIC_API_KEY"],
      models: { "grok-4": { output: 70_000 }, "grok-9": { context: 5, output: 4 } },
    }).provider("xai");
    const shipped = catalogue.provider("xai");
    expect(merged).toEqual({
      ...shipped,
      models: {
        ...shipped?.models,
        "grok-4": { ...shipped?.models["grok-4"], output: 70_000 },
        "grok-9": { context: 5, output: 4 },
      },
    });
  });

  test("adds vendors, but gives them no key of another one, no headers and no package", async () => {
    const added = open({
      id: "newcomer",
      name: "Newcomer",
      api: "openai-chat",
      baseURL: "https://newcomer.invalid/v1",
      keys: ["OPENAI_API_KEY", "NEWCOMER_API_KEY"],
      headers: { authorization: "x" },
      package: "evil",
      keyOptional: true,
      models: { one: { context: 10, output: 5 } },
    });
    expect(added.provider("newcomer")).toEqual({
      id: "newcomer",
      name: "Newcomer",
      api: "openai-chat",
      packageProposed: "evil",
      baseURL: "https://newcomer.invalid/v1",
      keys: ["NEWCOMER_API_KEY"],
      models: { one: { context: 10, output: 5 } },
    });
    expect(added.ids()).toContain("newcomer");
    const found = await createModels({}, { ...everything, catalogue: added }).find("newcomer/one");
    expect(found).toMatchObject({ ok: true, model: { contextTokens: 10, outputTokensMax: 5 } });
  });

  test.each([
    "",
    "not json",
    '{"format":2}\n{"id":"newcomer","api":"openai-chat","keys":[],"models":{}}',
    '\n{"id":"xai",',
  ])("that is not one (%j) is as good as none", (text) => {
    const opened = openCatalogue({ cached: () => text });
    expect(opened.provider("newcomer")).toBeUndefined();
    expect(opened.provider("xai")).toEqual(catalogue.provider("xai"));
  });
});
