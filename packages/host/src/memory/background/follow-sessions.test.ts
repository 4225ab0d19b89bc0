import { expect, test } from "vitest";
import { msUntil } from "./follow-sessions.ts";

const hourMs = 3_600_000;

test.each([
  { time: "03:00", now: [2026, 2, 10, 1, 0], hours: 2 },
  { time: "03:00", now: [2026, 2, 10, 3, 0], hours: 24 },
  { time: "23:30", now: [2026, 2, 10, 23, 0], hours: 0.5 },
] as const)("the next $time after $now is $hours hours away", ({ time, now, hours }) => {
  const [year, month, day, hour, minute] = now;
  expect(msUntil(time, new Date(year, month, day, hour, minute))).toBe(hours * hourMs);
});
