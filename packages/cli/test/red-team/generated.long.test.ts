/** Proves on hundreds of drawn cases that nothing acts and nothing leaves, and that many of them act where nobody holds them. */
import { expect, test } from "vitest";
import { openWorkbench } from "../workbench.ts";
import { machineOptions } from "./generated/acting-options.ts";
import { triedClasses } from "./generated/classes.ts";
import { drawCases } from "./generated/draw.ts";
import { standInsFor } from "./generated/stand-ins.ts";
import { sharpOf } from "./red-team-bare.ts";
import { findingsOf } from "./red-team-findings.ts";
import { runCases, type SetUp } from "./red-team-run.ts";

const setUps: readonly SetUp[] = ["confined", "unconfined", "trusted"];

test.each(setUps)("no drawn disguise acts: %s", async (setUp) => {
  const cases = drawCases(triedClasses, 60);
  const attempts = await runCases(cases, setUp, standInsFor(cases));
  expect(attempts).toHaveLength(cases.length);
  expect(findingsOf(attempts)).toEqual([]);
});

/** The rest name programs that this machine lacks, or draw words that no option fits. */
test("a third of the cases and more act where nobody holds them", async () => {
  const cases = drawCases(triedClasses, 20);
  expect((await sharpOf(cases)).length).toBeGreaterThan(cases.length / 3);
});

test("nothing that changes the machine itself is permitted unasked", async () => {
  const bench = await openWorkbench([]);
  try {
    const questions = drawCases([machineOptions], 400).map(({ id, command }) => ({ id, tool: "bash", command }));
    const input = questions.map((question) => JSON.stringify(question)).join("\n");
    const { stdout } = await bench.run(["explain", "permission", "--jsonl"], { input });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(questions.length);
    const allowed = new Set(answers.filter(({ verdict }) => verdict === "allow").map(({ id }) => id));
    expect(questions.filter(({ id }) => allowed.has(id)).map(({ command }) => command)).toEqual([]);
  } finally {
    await bench.close();
  }
});
