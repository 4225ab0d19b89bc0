// What a user adds to requests on every wire: headers and body fields, in general and for one provider.
import { type MockModel, startMockModel } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CacheWatch } from "../src/cache-break/cache-watch.ts";
import { wireNames } from "../src/catalogue/catalogue-row.ts";
import type { ProviderSetting } from "../src/catalogue/provider-settings.ts";
import { comparableExtras, mergeExtras } from "../src/catalogue/request-extras.ts";
import { createModels, type ModelsOptions } from "../src/create-models.ts";
import { addExtraBody } from "../src/wire/extra-body.ts";
import { sampleRequest } from "./sample-request.ts";

let mock: MockModel;
beforeEach(async () => {
  mock = await startMockModel({ script: () => ({ text: "Done." }) });
});
afterEach(() => mock.close());

async function send(api: string, setting: ProviderSetting, options: ModelsOptions) {
  const settings = { mine: { api, baseURL: mock.baseUrl, apiKey: "key-of-the-test", ...setting } };
  const found = await createModels(settings, options).find("mine/mock-model");
  if (!found.ok) throw new Error(found.failure.message);
  const request = sampleRequest([{ role: "user", text: "hi" }], { model: found.model });
  for await (const event of found.provider.stream(request, new AbortController().signal)) {
    if (event.type === "failed") throw new Error(event.failure.message);
  }
  const sent = mock.requests.at(-1);
  return { headers: sent?.headers ?? {}, body: sent?.raw.toString() ?? "" };
}

const extras = { headers: { "x-team": "all", "x-zone": "one" }, body: { top_k: 1, nested: { a: 1 } } };
const setting = { headers: { "X-Team": "own" }, body: { nested: { b: 2 }, user: "u" } };

test.each(wireNames)("%s carries both, and those of the provider win", async (api) => {
  const plain = await send(api, {}, {});
  const { headers, body } = await send(api, setting, { extras });
  expect(headers).toMatchObject({ "x-team": "own", "x-zone": "one" });
  expect(JSON.parse(body)).toEqual({ ...JSON.parse(plain.body), top_k: 1, nested: { a: 1, b: 2 }, user: "u" });
  // Everything up to the end of the conversation has the same bytes, and no field is written twice.
  const end = plain.body.lastIndexOf("hi") + 2;
  expect(body.slice(0, end)).toBe(plain.body.slice(0, end));
  expect(body.match(/"max_tokens"|"max_output_tokens"|"maxOutputTokens"/g)).toHaveLength(1);
});

test("a field of ours can be changed without being written twice", async () => {
  const { body } = await send("google", { body: { generationConfig: { maxOutputTokens: 5, topK: 2 } } }, {});
  expect(JSON.parse(body).generationConfig).toMatchObject({ maxOutputTokens: 5, topK: 2 });
  expect(body.match(/"maxOutputTokens"/g)).toHaveLength(1);
});

test("a body that a package wrote gets the same fields, and what is no object stays as it is", () => {
  expect(addExtraBody('{"model":"m","o":{"a":1}}', { o: { b: 2 } })).toBe('{"model":"m","o":{"a":1,"b":2}}');
  expect([addExtraBody("[1]", { a: 1 }), addExtraBody("no json", { a: 1 })]).toEqual(["[1]", "no json"]);
});

test("they take part in what a cache depends on, without their values", async () => {
  const compared = comparableExtras(mergeExtras(extras, { headers: { "x-team": "a-secret-value" } }));
  expect(JSON.stringify(compared)).not.toContain("a-secret-value");
  expect(compared.betaHeaders).toMatch(/^x-zone, x-team \([0-9a-f]{16}\)$/);
  expect(compared.extraBody).toMatch(/^top_k, nested \([0-9a-f]{16}\)$/);
  expect(comparableExtras({})).toEqual({});

  const seen: unknown[] = [];
  const cacheWatch: CacheWatch = { before: (_, extra) => void seen.push(extra) };
  await send("openai-chat", {}, { extras, cacheWatch });
  expect(seen).toEqual([comparableExtras(extras)]);
});
