import { expect, test } from "vitest";
import { durationMsOf, momentMsOf } from "./header-times.ts";

test.each([
  ["6m0s", 360_000],
  ["174ms", 174],
  ["58.934310785s", 58_935],
  ["1h2m3s", 3_723_000],
  ["1d", 86_400_000],
  ["45 seconds", 45_000],
  ["1 minute", 60_000],
  ["12", undefined],
  ["", undefined],
  ["s", undefined],
  ["soon", undefined],
])("the duration %j", (text, durationMs) => {
  expect(durationMsOf(text)).toBe(durationMs);
});

const nowMs = Date.parse("2026-01-01T12:00:00Z");

test.each([
  ["1767268800", 1_767_268_800_000],
  ["1767268800123", 1_767_268_800_123],
  ["30", nowMs + 30_000],
  ["0", nowMs],
  ["6m0s", nowMs + 360_000],
  ["2026-01-01T12:00:20Z", nowMs + 20_000],
  ["Thu, 01 Jan 2026 12:00:30 GMT", nowMs + 30_000],
  ["soon", undefined],
])("the moment %j", (text, momentMs) => {
  expect(momentMsOf(text, nowMs)).toBe(momentMs);
});
