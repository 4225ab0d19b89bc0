import { expect, test } from "vitest";
import type { MockRequest } from "./mock-model/script.ts";
import { createPrefixCache } from "./prefix-cache.ts";

const ttlMs = 1_000;

function requestOf(text: string, model = "one"): MockRequest {
  return { path: "/v1/messages", headers: {}, raw: Buffer.from(text), body: { model }, receivedAtMs: 0 };
}

function openCache() {
  const clock = { nowMs: 0 };
  const cache = createPrefixCache({ now: () => clock.nowMs, ttlMs });
  return { clock, cache, cached: (text: string, model?: string) => cache.bill(requestOf(text, model)).cached };
}

test("what was sent before is read in whole blocks, the rest is new", () => {
  const { cache } = openCache();
  expect(cache.bill(requestOf("a".repeat(1_300)))).toEqual({ input: 325, output: 20, cached: 0 });
  const longer = requestOf(`${"a".repeat(1_300)}${"b".repeat(1_300)}`);
  expect(cache.bill(longer, 7)).toEqual({ input: 650, output: 7, cached: 256 });
  expect(cache.bill(longer).cached).toBe(640);
});

test("a change loses everything after it and nothing before it", () => {
  const { cached } = openCache();
  cached("a".repeat(4_096));
  expect(cached(`${"a".repeat(1_024)}x${"a".repeat(3_071)}`)).toBe(256);
  expect(cached(`x${"a".repeat(4_095)}`)).toBe(0);
  expect(cached("a".repeat(4_096))).toBe(1_024);
});

test("another model reads nothing of it", () => {
  const { cached } = openCache();
  cached("a".repeat(1_024), "one");
  expect(cached("a".repeat(1_024), "two")).toBe(0);
  expect(cached("a".repeat(1_024), "one")).toBe(256);
});

test("each use begins the lifetime anew, and after it everything is forgotten, as when the vendor drops it", () => {
  const { cache, clock, cached } = openCache();
  const text = "a".repeat(1_024);
  cached(text);
  for (let use = 0; use < 3; use++) {
    clock.nowMs += ttlMs;
    expect(cached(text)).toBe(256);
  }
  clock.nowMs += ttlMs + 1;
  expect(cached(text)).toBe(0);
  expect(cached(text)).toBe(256);
  cache.evict();
  expect(cached(text)).toBe(0);
});
