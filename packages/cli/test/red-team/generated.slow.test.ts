/** Proves on a few drawn cases of each class that nothing acts and nothing leaves, in all three set-ups. */
import { expect, test } from "vitest";
import { triedClasses } from "./generated/classes.ts";
import { drawCases } from "./generated/draw.ts";
import { standInsFor } from "./generated/stand-ins.ts";
import { findingsOf } from "./red-team-findings.ts";
import { runCases, type SetUp } from "./red-team-run.ts";

const setUps: readonly SetUp[] = ["confined", "unconfined", "trusted"];

test.each(setUps)("no drawn disguise acts: %s", async (setUp) => {
  const cases = drawCases(triedClasses, 3);
  const attempts = await runCases(cases, setUp, standInsFor(cases));
  expect(attempts).toHaveLength(cases.length);
  expect(findingsOf(attempts)).toEqual([]);
});
