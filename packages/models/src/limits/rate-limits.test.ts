import { expect, test } from "vitest";
import { limitLiftedAtMs, readRateLimits } from "./rate-limits.ts";

const nowMs = Date.parse("2026-01-01T12:00:00Z");

test("headers that say nothing about limits give nothing", () => {
  expect(readRateLimits({ "content-type": "text/event-stream", date: "x" }, nowMs)).toBeUndefined();
});

test("the windows of a plan, its extra usage and its fallback", () => {
  const headers = {
    "anthropic-ratelimit-unified-status": "allowed_warning",
    "anthropic-ratelimit-unified-reset": "1767268800",
    "anthropic-ratelimit-unified-representative-claim": "seven_day",
    "anthropic-ratelimit-unified-5h-utilization": "0.02",
    "anthropic-ratelimit-unified-5h-reset": "1767279600",
    "anthropic-ratelimit-unified-7d-utilization": "0.737",
    "anthropic-ratelimit-unified-7d-reset": "1767268800",
    "anthropic-ratelimit-unified-7d-surpassed-threshold": "0.5",
    "anthropic-ratelimit-unified-7d_opus-utilization": "0.1",
    "anthropic-ratelimit-unified-overage-status": "rejected",
    "anthropic-ratelimit-unified-fallback": "available",
  };
  expect(readRateLimits(headers, nowMs)).toEqual({
    status: "allowed_warning",
    resetAtMs: 1_767_268_800_000,
    limitType: "seven_day",
    windows: [
      { type: "five_hour", utilisation: 0.02, resetAtMs: 1_767_279_600_000 },
      { type: "seven_day", utilisation: 0.737, resetAtMs: 1_767_268_800_000, surpassedThreshold: 0.5 },
      { type: "seven_day_opus", utilisation: 0.1 },
    ],
    overage: "rejected",
    fallback: true,
    allowances: [],
  });
});

test("requests and tokens left, as OpenAI writes them", () => {
  const headers = {
    "x-ratelimit-limit-requests": "10000",
    "x-ratelimit-limit-tokens": "10000000",
    "x-ratelimit-remaining-requests": "9999",
    "x-ratelimit-remaining-tokens": "0",
    "x-ratelimit-reset-requests": "6ms",
    "x-ratelimit-reset-tokens": "6m0s",
  };
  const limits = readRateLimits(headers, nowMs);
  expect(limits).toEqual({
    windows: [],
    allowances: [
      { of: "requests", limit: 10_000, remaining: 9_999, resetAtMs: nowMs + 6 },
      { of: "tokens", limit: 10_000_000, remaining: 0, resetAtMs: nowMs + 360_000 },
    ],
  });
  expect(limits && limitLiftedAtMs(limits)).toBe(nowMs + 360_000);
});

test("the windows of a ChatGPT plan", () => {
  const headers = {
    "x-codex-primary-used-percent": "100",
    "x-codex-primary-window-minutes": "300",
    "x-codex-primary-reset-at": "1767268800",
    "x-codex-secondary-used-percent": "80",
    "x-codex-secondary-window-minutes": "10080",
    "x-codex-secondary-reset-at": "",
  };
  const limits = readRateLimits(headers, nowMs);
  expect(limits).toEqual({
    windows: [
      { type: "five_hour", utilisation: 1, resetAtMs: 1_767_268_800_000 },
      { type: "seven_day", utilisation: 0.8 },
    ],
    allowances: [],
  });
  expect(limits && limitLiftedAtMs(limits)).toBe(1_767_268_800_000);
});

test("numbers that a gateway does not know are left out, and so are words that nobody knows", () => {
  const headers = {
    "x-ratelimit-limit-tokens": "-1",
    "x-ratelimit-remaining-tokens": "-1",
    "x-ratelimit-reset-tokens": "0",
    "anthropic-ratelimit-unified-status": "perhaps",
    "anthropic-ratelimit-unified-representative-claim": "seven_day_overage_included",
  };
  expect(readRateLimits(headers, nowMs)).toEqual({ windows: [], allowances: [{ of: "tokens", resetAtMs: nowMs }] });
});
