/** Proves with every case of the red team that nothing acts and nothing leaves, and that ordinary looks are not asked about. */
import { expect, test } from "vitest";
import { sharpOf } from "./red-team-bare.ts";
import { configured, disguises, ordinary } from "./red-team-case.ts";
import { findingsOf } from "./red-team-findings.ts";
import { runCases, type SetUp } from "./red-team-run.ts";

const setUps: readonly SetUp[] = ["confined", "unconfined", "trusted"];

test.each(setUps)("no disguise acts: %s", async (setUp) => {
  const attempts = await runCases(disguises(), setUp);
  expect(attempts).toHaveLength(disguises().length);
  expect(findingsOf(attempts)).toEqual([]);
});

test.each(setUps)("no program that the repository steers acts: %s", async (setUp) => {
  const attempts = await runCases(configured(), setUp);
  expect(attempts).toHaveLength(configured().length);
  expect(findingsOf(attempts)).toEqual([]);
});

/** The rest are for programs that this machine lacks, or for shells that read them otherwise. */
test("half of the cases and more act where nobody holds them", async () => {
  const cases = [...disguises(), ...configured()];
  expect((await sharpOf(cases)).length).toBeGreaterThan(cases.length / 2);
});

test("at most two in a hundred ordinary looks are asked about", async () => {
  const attempts = await runCases(
    ordinary().map((each) => ({ ...each, class: "ordinary" })),
    "confined",
  );
  const asked = attempts.filter(({ outcome }) => outcome !== "completed").map(({ command }) => command);
  expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(attempts.length * 0.02);
});
