/** Proves how a key is checked: one request, with the header of the wire, and no more certainty than the answer gives. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCatalogue } from "../src/catalogue/open-catalogue.ts";
import { checkKey } from "../src/check-key.ts";

let server: Server;
let baseURL = "";
let asked: IncomingMessage[] = [];
let status = 200;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(status).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

function check(api: string, key = "sk-test", answer = 200) {
  status = answer;
  return checkKey({
    provider: "mine",
    key,
    setting: { api, baseURL },
    catalogue: openCatalogue(),
    variable: () => undefined,
    network: {},
    signal: new AbortController().signal,
  });
}

test.each([
  ["openai-chat", "authorization", "Bearer sk-test"],
  ["openai-responses", "authorization", "Bearer sk-test"],
  ["anthropic", "x-api-key", "sk-test"],
  ["google", "x-goog-api-key", "sk-test"],
])("on %s the key goes in %s", async (api, header, value) => {
  expect(await check(api)).toEqual({ kind: "accepted" });
  expect(asked.map(({ method, url, headers }) => [method, url, headers[header]])).toEqual([
    ["GET", "/v1/models", value],
  ]);
});

test.each([
  ["openai-chat", 401, { kind: "rejected", status: 401 }],
  ["anthropic", 403, { kind: "rejected", status: 403 }],
  ["google", 400, { kind: "rejected", status: 400 }],
  ["openai-chat", 400, { kind: "unchecked", reason: "the answer has status 400" }],
  ["openai-chat", 404, { kind: "unchecked", reason: "the answer has status 404" }],
  ["openai-chat", 500, { kind: "unchecked", reason: "the answer has status 500" }],
])("on %s an answer of %s means %j", async (api, answer, expected) => {
  expect(await check(api, "sk-test", answer)).toEqual(expected);
});

test("a key that no header can carry is never sent", async () => {
  expect(await check("openai-chat", "sk\r\nx-evil: 1")).toMatchObject({ kind: "unchecked" });
  expect(asked).toEqual([]);
});

test("a package and a vendor that cannot be reached leave it open", async () => {
  expect(
    await checkKey({
      provider: "cohere",
      key: "sk-test",
      setting: undefined,
      catalogue: openCatalogue(),
      variable: () => undefined,
      network: {},
      signal: new AbortController().signal,
    }),
  ).toEqual({ kind: "unchecked", reason: "@ai-sdk/cohere offers no way to check" });
  baseURL = "http://127.0.0.1:1/v1";
  expect(await check("openai-chat")).toEqual({ kind: "unchecked", reason: "ECONNREFUSED" });
});
