/** Proves what the line above the prompt says, from the first second to the end of the patience. */
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { Activity, ActivityKind } from "../state/client-state.ts";
import { symbolPresets } from "../theme/symbols.ts";
import { activityLine } from "./activity-line.ts";

const theme = bareTheme();

function lineOf(activity: Partial<Activity>, { now = 5_000, width = 120 } = {}) {
  return activityLine({
    ...{ theme, width, now, interruptKey: "esc" },
    activity: { kind: "waiting", since: 0, lastSignAt: now, outputTokens: 0, ...activity },
  });
}

test.each<[Partial<Activity>, string]>([
  [{ kind: "waiting" }, "waiting for model · 5 s · esc stops"],
  [{ kind: "thinking", outputTokens: 0.4 }, "thinking · 5 s · esc stops"],
  [{ kind: "responding", outputTokens: 1_234 }, "answering · 5 s · ~1.2k tokens · esc stops"],
  [{ kind: "reading", tool: "grep" }, "reading with grep · 5 s · esc stops"],
  [{ kind: "running", tool: "bash" }, "running bash · 5 s · esc stops"],
  [{ kind: "compacting" }, "compacting the conversation · esc stops"],
  [{ kind: "permission" }, "waiting for your permission · 5 s"],
  [{ kind: "question" }, "waiting for your answer · 5 s"],
])("%j", (activity, words) => {
  expect(lineOf(activity).text.slice(2)).toBe(words);
});

test("nothing is said while nothing is done", () => {
  expect(lineOf({ kind: "idle" })).toEqual({ text: "" });
});

test.each([
  [2, "answering · 2 s · esc stops"],
  [4, "answering, no data for 4 s · 4 s · esc stops"],
  [31, "answering, no data for 31 s · large models can take a while · 31 s · esc stops"],
  [46, "answering, no data for 46 s · giving up in 44 s · 46 s · esc stops"],
  [91, "answering, no data for 1 m 31 s · giving up · 1 m 31 s · esc stops"],
])("after %d silent seconds", (seconds, words) => {
  expect(lineOf({ kind: "responding", lastSignAt: 0 }, { now: seconds * 1_000 }).text.slice(2)).toBe(words);
});

test("a silent line has another colour, a tool may be silent for as long as it likes", () => {
  const told: string[] = [];
  const fg = (token: string, text: string) => {
    told.push(token);
    return text;
  };
  const noting = { ...theme, fg };
  const look = (kind: ActivityKind, now: number) => {
    told.length = 0;
    const activity = { kind, since: 0, lastSignAt: 0, outputTokens: 0 };
    activityLine({ activity, theme: noting, width: 80, now, interruptKey: "esc" });
    return told.includes("warning");
  };
  expect([
    look("thinking", 3_000),
    look("thinking", 3_001),
    look("running", 60_000),
    look("permission", 60_000),
  ]).toEqual([false, true, false, false]);
});

test.each([
  [
    { until: 9_000, attempt: 2, attemptsMax: 5, reason: "Too many requests." },
    "retrying in 4 s (2 of 5): Too many requests. · 5 s · enter to retry now",
  ],
  [{ until: 8_001, attempt: 2, attemptsMax: 5 }, "retrying in 4 s (2 of 5) · 5 s · enter to retry now"],
  [{ until: 5_001, attempt: 1 }, "retrying in 1 s (1) · 5 s · enter to retry now"],
  [{ until: 5_000, attempt: 3, attemptsMax: 5 }, "retrying (3 of 5) · 5 s"],
  [{ until: 4_000 }, "retrying · 5 s"],
])("a retry %j", (retry, words) => {
  expect(lineOf({ kind: "retrying", retry }).text.slice(2)).toBe(`${words} · esc stops`);
});

const kinds: readonly ActivityKind[] = [
  ...(["waiting", "thinking", "responding", "reading", "running", "compacting"] as const),
  ...(["retrying", "permission", "question"] as const),
];

test("no line is wider than its place, whatever a tool or a vendor is called", () => {
  const hostile = "名前\u001b[2J\nrm ".repeat(40);
  for (const preset of [symbolPresets.unicode, symbolPresets.ascii]) {
    for (const kind of kinds) {
      for (const width of [0, 1, 2, 3, 10, 40, 80, 200]) {
        const activity: Activity = {
          ...{ kind, since: 0, lastSignAt: 0, outputTokens: 5_000, tool: hostile },
          retry: { until: 90_000, attempt: 1, attemptsMax: 9, reason: hostile },
        };
        const look = { activity, theme: bareTheme(preset), width, now: 50_000, interruptKey: "esc" };
        const { text } = activityLine(look);
        expect(visibleWidth(text), `${kind} at ${width}`).toBeLessThanOrEqual(width);
        expect(text).not.toContain("\n");
        expect(text).not.toContain("[2J");
      }
    }
  }
});

test("it is drawn again with the next frame, and while the user is waited for with the next second", () => {
  expect([lineOf({}, { now: 5_000 }).nextInMs, lineOf({}, { now: 5_079 }).nextInMs]).toEqual([40, 41]);
  expect(lineOf({ kind: "permission" }, { now: 5_300 }).nextInMs).toBe(700);
  expect(lineOf({ kind: "idle" }).nextInMs).toBeUndefined();
  const frames = [0, 80, 160].map((now) => lineOf({}, { now }).text[0]);
  expect(new Set(frames).size).toBe(3);
});
