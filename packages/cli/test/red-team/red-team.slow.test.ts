/** Proves on a random sample of the red team's cases that nothing acts and nothing leaves, in all three set-ups. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { configured, disguises } from "./red-team-case.ts";
import { findingsOf } from "./red-team-findings.ts";
import { runCases, type SetUp } from "./red-team-run.ts";

const setUps: readonly SetUp[] = ["confined", "unconfined", "trusted"];

test.each(setUps)("a sample of disguises and steered programs has no effect: %s", async (setUp) => {
  const random = createSeededRandom();
  const cases = [...random.shuffle(disguises()).slice(0, 30), ...random.shuffle(configured()).slice(0, 10)];
  const attempts = await runCases(cases, setUp);
  expect(attempts).toHaveLength(cases.length);
  expect(findingsOf(attempts)).toEqual([]);
});

test("the ground is sharp: what a rule permits acts and is seen", async () => {
  const acting = { id: "control", class: "control", command: "npm run lint", files: { "package.json": lintIsATrap } };
  const [attempt] = await runCases([acting], "trusted");
  expect(attempt).toMatchObject({ outcome: "completed", sprung: true });
  expect(attempt?.acts).toEqual(expect.arrayContaining(["made outside/hit", "made project/hit", "1 connections"]));
  expect(attempt?.acts).toEqual(expect.arrayContaining(["told environment", "told denied", "told credentials"]));
});

const lintIsATrap = JSON.stringify({ name: "scratch", scripts: { lint: "./trap.sh" } });
