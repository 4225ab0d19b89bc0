/** A list in the form of models.dev becomes lines of the catalogue, and nothing in it is taken on trust. */
import { expect, test } from "vitest";
import { readRow } from "../src/catalogue/catalogue-row.ts";
import { importModelsDev } from "../src/catalogue/import-models-dev.ts";

/** Members and values as in api.json of models.dev. */
const claude = {
  id: "claude-opus-4-5",
  name: "Claude Opus 4.5 (latest)",
  family: "claude-opus",
  attachment: true,
  reasoning: true,
  tool_call: true,
  temperature: true,
  structured_output: true,
  knowledge: "2025-03-31",
  release_date: "2025-11-24",
  last_updated: "2025-11-24",
  modalities: { input: ["text", "image", "pdf"], output: ["text"] },
  open_weights: false,
  cost: { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 },
  limit: { context: 200_000, output: 64_000 },
};

function rowsOf(list: unknown) {
  const imported = importModelsDev(list, "2026-11-16T00:00:00.000Z");
  const lines = imported?.text.trimEnd().split("\n") ?? [];
  return { imported, lines, rows: lines.slice(1).map((line) => readRow(line)) };
}

test("vendors and models are read with all their numbers", () => {
  const gpt = {
    id: "gpt-5.5",
    name: "GPT-5.5",
    reasoning: true,
    temperature: false,
    tool_call: true,
    reasoning_options: [{ type: "effort", values: ["low", "high"] }],
    cost: { input: 5, output: 30, tiers: [{ input: 10, output: 45, tier: { type: "context", size: 272_000 } }] },
    limit: { context: 1_050_000, input: 922_000, output: 128_000 },
    modalities: { input: ["text"], output: ["text"] },
    status: "beta",
  };
  const gemini = {
    cost: { input: 1.25, output: 10, reasoning: 12, context_over_200k: { input: 2.5, output: 15, cache_read: 0.25 } },
    limit: { context: 9, output: 0 },
    reasoning: false,
  };
  const { imported, lines, rows } = rowsOf({
    anthropic: {
      id: "anthropic",
      env: ["ANTHROPIC_API_KEY"],
      npm: "@ai-sdk/anthropic",
      name: "Anthropic",
      models: { a: claude },
    },
    router: {
      env: ["ROUTER_ACCOUNT", "ROUTER_TOKEN", "ROUTER_REGION"],
      npm: "@ai-sdk/openai-compatible",
      api: `https://api.router.invalid/\${ROUTER_ACCOUNT}/v1`,
      models: { "openai/gpt-5.5": gpt, gemini },
    },
    cloud: { env: ["CLOUD_REGION"], npm: "@cloud/ai-provider", name: "Cloud", models: {} },
  });
  expect(imported).toMatchObject({ providers: 3, models: 3, skipped: 0 });
  expect(lines[0]).toBe('{"format":1,"date":"2026-11-16T00:00:00.000Z"}');
  expect(lines[1]).toMatch(/^\{"id":"anthropic",/);
  expect(rows).toEqual([
    {
      id: "anthropic",
      name: "Anthropic",
      api: "anthropic",
      baseURL: "https://api.anthropic.com/v1",
      keys: ["ANTHROPIC_API_KEY"],
      quirks: [],
      complete: true,
      models: {
        a: {
          name: "Claude Opus 4.5 (latest)",
          family: "claude-opus",
          context: 200_000,
          output: 64_000,
          cost: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
          tools: true,
          images: true,
          documents: true,
          temperature: true,
          released: "2025-11-24",
        },
      },
    },
    {
      id: "router",
      name: "router",
      api: "openai-chat",
      baseURL: "https://api.router.invalid/{ROUTER_ACCOUNT}/v1",
      keys: ["ROUTER_TOKEN"],
      quirks: [],
      complete: true,
      models: {
        "openai/gpt-5.5": {
          name: "GPT-5.5",
          context: 1_050_000,
          input: 922_000,
          output: 128_000,
          cost: { input: 5, output: 30, above: { inputTokens: 272_000, prices: { input: 10, output: 45 } } },
          tools: true,
          reasoning: "effort",
          images: false,
          documents: false,
          temperature: false,
          status: "beta",
        },
        gemini: {
          context: 9,
          cost: {
            input: 1.25,
            output: 10,
            reasoning: 12,
            above: { inputTokens: 200_000, prices: { input: 2.5, output: 15, cacheRead: 0.25 } },
          },
          reasoning: "none",
        },
      },
    },
    {
      id: "cloud",
      name: "Cloud",
      api: "ai-sdk",
      package: "@cloud/ai-provider",
      keys: ["CLOUD_REGION"],
      quirks: [],
      complete: true,
      models: {},
    },
  ]);
});

test("what does not fit is skipped and counted", () => {
  const good = { npm: "@ai-sdk/openai-compatible", api: "https://host.invalid/v1", env: [], models: {} };
  const { imported, rows } = rowsOf({
    nothing: null,
    "../evil": good,
    file: { ...good, api: "file:///etc/passwd" },
    script: { ...good, api: "javascript:alert(1)" },
    password: { ...good, api: "https://me:secret@host.invalid" },
    addressless: { ...good, api: undefined },
    package: { ...good, npm: "../../evil" },
    shell: { ...good, npm: "x; rm -rf /" },
    "no-models": { ...good, models: [] },
    fine: {
      ...good,
      env: ["OK_KEY", 5, "BAD NAME", "x".repeat(200)],
      name: "Fine\u001b[31m\n name",
      models: {
        "bad\nid": claude,
        image: { modalities: { input: ["text"], output: ["image"] } },
        number: 5,
        odd: { name: 7, cost: { input: -1, output: "5" }, limit: { context: "big", output: 1.5 }, tool_call: "yes" },
      },
    },
  });
  expect(imported).toMatchObject({ providers: 1, models: 1, skipped: 12 });
  expect(rows).toEqual([
    {
      id: "fine",
      name: "Fine[31m name",
      api: "openai-chat",
      baseURL: "https://host.invalid/v1",
      keys: ["OK_KEY"],
      quirks: [],
      complete: true,
      models: { odd: {} },
    },
  ]);
});

test.each([null, [], "text", 5])("%j is no list", (list) => {
  expect(importModelsDev(list, "2026-11-16")).toBeUndefined();
});
