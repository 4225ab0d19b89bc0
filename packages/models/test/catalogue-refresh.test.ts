/** The list of vendors is refreshed at most once a day, over real HTTP, and a bad answer never replaces a good one. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCatalogue } from "../src/catalogue/open-catalogue.ts";
import { type RefreshOptions, refreshCatalogue } from "../src/catalogue/refresh-catalogue.ts";

const vendor = (context: number) => ({
  npm: "@ai-sdk/openai-compatible",
  api: "https://host.invalid/v1",
  env: ["VENDOR_API_KEY"],
  models: { one: { limit: { context, output: 5 }, cost: { input: 1, output: 2 } } },
});
const start = Date.parse("2026-11-16T12:00:00.000Z");
const hourMs = 3_600_000;

let server: Server;
let answer: { status: number; body: string };
let asked: string[];
let file: string | undefined;

beforeEach(async () => {
  asked = [];
  file = undefined;
  answer = { status: 200, body: JSON.stringify({ a: vendor(10), b: vendor(20) }) };
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});

afterEach(() => new Promise((closed) => server.close(closed)));

function refresh(now: number, change: Partial<RefreshOptions> = {}) {
  return refreshCatalogue({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`,
    readCached: () => file,
    writeCached: (text) => {
      file = text;
    },
    now: () => now,
    signal: new AbortController().signal,
    ...change,
  });
}

test("the first answer is kept, and for a day nothing is asked again", async () => {
  expect(await refresh(start)).toEqual({ kind: "refreshed", providers: 2, models: 2, skipped: 0 });
  expect(openCatalogue({ cached: () => file }).provider("a")?.models).toEqual({
    one: { context: 10, output: 5, cost: { input: 1, output: 2 } },
  });
  expect(await refresh(start + 23 * hourMs)).toEqual({ kind: "fresh" });
  expect(asked).toEqual(["GET /api.json"]);
  expect(await refresh(start + 23 * hourMs, { force: true })).toMatchObject({ kind: "refreshed" });
  expect(await refresh(start + 48 * hourMs)).toMatchObject({ kind: "refreshed" });
  expect(asked.length).toBe(3);
});

test.each([
  ["an error", { status: 500, body: "{}" }, "the answer has status 500"],
  ["a page", { status: 200, body: "<html>" }, "the response is not a list of providers"],
  ["a list of nothing", { status: 200, body: "{}" }, "the response lists only 0 providers"],
  ["a list", { status: 200, body: "[]" }, "the response is not a list of providers"],
  ["vendors without models", { status: 200, body: '{"a":{"models":{}}}' }, "the response lists only 0 providers"],
])("%s leaves the last good copy alone", async (_, bad, reason) => {
  await refresh(start);
  const good = file;
  answer = bad;
  expect(await refresh(start + 48 * hourMs)).toEqual({ kind: "kept", reason });
  expect(file).toBe(good);
});

test("a list that lost most of its vendors is not believed", async () => {
  answer = {
    status: 200,
    body: JSON.stringify({ a: vendor(1), b: vendor(1), c: vendor(1), d: vendor(1), e: vendor(1) }),
  };
  await refresh(start);
  const good = file;
  answer = { status: 200, body: JSON.stringify({ a: vendor(2), b: vendor(2) }) };
  expect(await refresh(start + 48 * hourMs)).toEqual({ kind: "kept", reason: "the response lists only 2 providers" });
  expect(file).toBe(good);
});

test("an answer without end is cut off", async () => {
  answer = { status: 200, body: " ".repeat(8 * 1024 * 1024 + 1) };
  expect(await refresh(start)).toEqual({ kind: "kept", reason: "the answer is larger than 8388608 bytes" });
});

test("without a network, and when stopped, the reason is told", async () => {
  expect(await refresh(start, { url: "http://127.0.0.1:9/api.json" })).toEqual({
    kind: "kept",
    reason: "ECONNREFUSED",
  });
  expect(await refresh(start, { signal: AbortSignal.abort() })).toEqual({ kind: "kept", reason: "it was canceled" });
  expect(await refresh(start, { url: "file:///etc/passwd" })).toEqual({ kind: "kept", reason: "its URL is not valid" });
});
