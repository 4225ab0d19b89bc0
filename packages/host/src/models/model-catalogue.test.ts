import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createModelCatalogue, listKnownModels } from "./model-catalogue.ts";

const { signal } = new AbortController();
const list = {
  newcomer: {
    npm: "@ai-sdk/openai-compatible",
    api: "https://newcomer.invalid/v1",
    env: ["NEWCOMER_API_KEY"],
    models: { one: { limit: { context: 10, output: 5 }, cost: { input: 1, output: 2 } } },
  },
};

let home = "";
let server: Server;
let asked = 0;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "kedge-catalogue-"));
  asked = 0;
  server = createServer((_, response) => {
    asked++;
    response.end(JSON.stringify(list));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});

afterEach(async () => {
  rmSync(home, { recursive: true, force: true });
  await new Promise((closed) => server.close(closed));
});

function catalogueAt(url: string) {
  return createModelCatalogue({ home, environment: { KEDGE_CATALOGUE_URL: url }, setting: {}, network: {} });
}

test("a refreshed list is on disk, whole, and known at the next start", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(catalogueAt(url).open().provider("newcomer")).toBeUndefined();
  expect(await catalogueAt(url).refresh({ signal })).toEqual({
    kind: "refreshed",
    providers: 1,
    models: 1,
    skipped: 0,
  });
  expect(await catalogueAt(url).refresh({ signal })).toEqual({ kind: "fresh" });
  expect(await catalogueAt(url).refresh({ signal, force: true })).toMatchObject({ kind: "refreshed" });
  expect(asked).toBe(2);
  expect(readdirSync(join(home, "cache"))).toEqual(["models.jsonl"]);
  expect(catalogueAt(url).open().provider("newcomer")?.models).toMatchObject({ one: { context: 10 } });
});

test("switched off, nothing is asked", async () => {
  expect(await catalogueAt("off").refresh({ signal, force: true })).toEqual({
    kind: "kept",
    reason: "KEDGE_CATALOGUE_URL is off",
  });
  expect(asked).toBe(0);
});

test("a provider is usable with its key, and says what it lacks without", async () => {
  mkdirSync(join(home, "cache"));
  writeFileSync(join(home, "cache", "models.jsonl"), "damaged");
  const providers = await listKnownModels({
    providers: {
      own: { api: "openai-chat", baseURL: "http://127.0.0.1:9/v1", models: { m: { context: 7, output: 3 } } },
    },
    catalogue: catalogueAt("off").open(),
    environment: {},
    keyOf: (provider) => (provider === "anthropic" ? "key" : undefined),
    hasAccount: (provider) => provider === "github-copilot",
    signal,
  });
  const found = (id: string) => providers.find((provider) => provider.id === id);
  expect(found("own")).toEqual({
    id: "own",
    name: "own",
    api: "openai-chat",
    tested: false,
    models: [{ ref: "own/m", provider: "own", id: "m", contextTokens: 7, outputTokensMax: 3 }],
  });
  expect(found("anthropic")).toMatchObject({ name: "Anthropic", tested: true });
  expect(found("anthropic")).not.toHaveProperty("missing");
  expect(found("github-copilot")).not.toHaveProperty("missing");
  expect(found("mistral")).toMatchObject({ tested: true, missing: { code: "invalid_api_key" } });
  expect(found("cohere")).toMatchObject({
    api: "ai-sdk",
    package: "@ai-sdk/cohere",
    missing: { code: "invalid_api_key" },
  });
});

test("a vendor that is switched off is in no list", () => {
  const parts = { home, environment: {}, network: {} };
  const whole = createModelCatalogue({ ...parts, setting: {} }).open();
  const without = createModelCatalogue({ ...parts, setting: { disabled: ["anthropic"] } }).open();
  expect(whole.provider("anthropic")).toBeDefined();
  expect(without.provider("anthropic")).toBeUndefined();
  expect(without.ids()).toEqual(whole.ids().filter((id) => id !== "anthropic"));
});

test("a fixed address is not moved by the variable", async () => {
  const setting = { url: "http://127.0.0.1:1/none", isFixed: true };
  const catalogue = createModelCatalogue({ home, environment: { KEDGE_CATALOGUE_URL: "off" }, setting, network: {} });
  expect(await catalogue.refresh({ signal })).not.toMatchObject({ reason: "KEDGE_CATALOGUE_URL is off" });
});
