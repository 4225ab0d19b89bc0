import { expect, test } from "vitest";
import { createLimitWatch } from "./limit-watch.ts";
import type { LimitType, RateLimits } from "./rate-limits.ts";

const nowMs = Date.parse("2026-01-01T12:00:00Z");
const hourMs = 3_600_000;
const windowMs = { five_hour: 5 * hourMs, seven_day: 168 * hourMs, seven_day_opus: 168 * hourMs };

/** Limits with one window, of which so much is used and so much has passed. */
function limits(type: LimitType, used: number, passed: number, more: Partial<RateLimits> = {}): RateLimits {
  const resetAtMs = nowMs + windowMs[type] * (1 - passed);
  return { status: "allowed", windows: [{ type, utilisation: used, resetAtMs }], allowances: [], ...more };
}

test.each([
  ["five_hour", 0.9, 0.71, "90% of the five-hour limit used; it resets in 1 h 27 min."],
  ["five_hour", 0.9, 0.73, undefined],
  ["five_hour", 0.89, 0.1, undefined],
  ["seven_day", 0.75, 0.59, "75% of the weekly limit used; it resets in 2 d 20 h."],
  ["seven_day", 0.75, 0.61, undefined],
  ["seven_day", 0.5, 0.34, "50% of the weekly limit used; it resets in 4 d 14 h."],
  ["seven_day", 0.5, 0.36, undefined],
  ["seven_day", 0.25, 0.14, "25% of the weekly limit used; it resets in 6 d."],
  ["seven_day", 0.25, 0.16, undefined],
  ["seven_day", 0.24, 0.01, undefined],
] as const)("%s used %f with %f passed: %s", (type, used, passed, notice) => {
  expect(createLimitWatch()(limits(type, used, passed), nowMs)).toBe(notice);
});

test("a warning is given once for each threshold and window", () => {
  const watch = createLimitWatch();
  expect([0.25, 0.26, 0.5, 0.51].map((used) => watch(limits("seven_day", used, 0.1), nowMs)?.slice(0, 4))).toEqual([
    "25% ",
    undefined,
    "50% ",
    undefined,
  ]);
  const next = {
    ...limits("seven_day", 0.5, 0.1),
    windows: [{ type: "seven_day", utilisation: 0.5, resetAtMs: nowMs + 160 * hourMs }],
  } as const;
  expect(watch(next, nowMs)).toBe("50% of the weekly limit used; it resets in 6 d 16 h.");
});

test("the vendor's own threshold comes before the pace", () => {
  const resetAtMs = nowMs + hourMs;
  const surpassed: RateLimits = {
    status: "allowed_warning",
    limitType: "five_hour",
    windows: [{ type: "five_hour", utilisation: 0.6, resetAtMs, surpassedThreshold: 0.5 }],
    allowances: [],
  };
  const watch = createLimitWatch();
  expect(watch(surpassed, nowMs)).toBe("60% of the five-hour limit used; it resets in 1 h.");
  expect(watch(surpassed, nowMs)).toBeUndefined();
});

test("a warning without a threshold is kept back below 70 % of the five-hour window only", () => {
  const warning = (type: LimitType, used: number) =>
    createLimitWatch()(limits(type, used, 0.99, { status: "allowed_warning", limitType: type }), nowMs)?.slice(0, 4);
  expect([warning("five_hour", 0.69), warning("five_hour", 0.7), warning("seven_day", 0.3)]).toEqual([
    undefined,
    "70% ",
    "30% ",
  ]);
});

test("a warning that names no window's use still names the window", () => {
  const bare: RateLimits = { status: "allowed_warning", limitType: "seven_day_opus", windows: [], allowances: [] };
  expect(createLimitWatch()(bare, nowMs)).toBe("The weekly limit for Opus is nearly used up.");
});

test("teams whose extra usage is billed are not warned about five hours", () => {
  const used = limits("five_hour", 0.95, 0.1, { overage: "allowed" });
  expect(createLimitWatch({ isTeamPlan: true })(used, nowMs)).toBeUndefined();
  expect(createLimitWatch({ isTeamPlan: true })(limits("five_hour", 0.95, 0.1), nowMs)).toBeDefined();
  expect(
    createLimitWatch({ isTeamPlan: true })(limits("seven_day", 0.75, 0.1, { overage: "allowed" }), nowMs),
  ).toBeDefined();
  expect(createLimitWatch()(used, nowMs)).toBeDefined();
});

test("extra usage is announced once, when requests pass again after the limit was reached", () => {
  const watch = createLimitWatch();
  const billed = "The plan's limit is used up. Extra usage is now billed.";
  const rejected = limits("five_hour", 1.02, 0.5, { status: "rejected", limitType: "five_hour" });
  const paid = limits("five_hour", 1.02, 0.5, { overage: "allowed", limitType: "five_hour" });
  expect([rejected, paid, paid, paid].map((now) => watch(now, nowMs))).toEqual([
    undefined,
    billed,
    undefined,
    undefined,
  ]);
  const renewed = limits("five_hour", 0.01, 0.01, { overage: "allowed", limitType: "five_hour" });
  expect([renewed, rejected, paid].map((now) => watch(now, nowMs))).toEqual([undefined, undefined, billed]);
});

test("a rejection is told by the failed call, not by a notice", () => {
  expect(createLimitWatch()(limits("five_hour", 1, 0.1, { status: "rejected" }), nowMs)).toBeUndefined();
});
