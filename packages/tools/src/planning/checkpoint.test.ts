/** Proves the tools that open a checkpoint and go back to it with a report. */
import type { ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { createCheckpointTool, createRewindTool } from "./checkpoint.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

function contextWithCheckpoints(): { readonly context: ToolContext; readonly reports: readonly string[] } {
  let open: { readonly goal: string; readonly startedAt: number } | undefined;
  const reports: string[] = [];
  const context: ToolContext = {
    ...workshop.newContext(),
    checkpoints: {
      current: () => open,
      open: async (goal) => {
        open = { goal, startedAt: 7 };
      },
      rewind: async (report) => void reports.push(report),
    },
  };
  return { context, reports };
}

test("a checkpoint says its goal and what is to be done, and there is one at a time", async () => {
  const { context } = contextWithCheckpoints();
  const checkpoint = createCheckpointTool();
  expect(await checkpoint.run({ goal: "find it" }, context)).toEqual({
    output: expect.stringMatching(/^Checkpoint opened\. Goal: find it\n.*call rewind with a report/),
    title: "find it",
    metadata: { goal: "find it", startedAt: 7 },
  });
  expect(await checkpoint.run({ goal: "something else" }, context)).toEqual({
    output: "A checkpoint is open already (find it). Call rewind with a report on it first.",
    isError: true,
    title: "something else",
  });
  expect(checkpoint.parse({ goal: "" }).ok).toBe(false);
  expect(checkpoint.parse({}).ok).toBe(false);
});

test("going back needs an open checkpoint and a report that says something", async () => {
  const { context, reports } = contextWithCheckpoints();
  const rewind = createRewindTool();
  expect(await rewind.run({ report: "all" }, context)).toMatchObject({
    isError: true,
    output: expect.stringMatching(/^No checkpoint is open/),
  });
  await context.checkpoints.open("find it");
  expect(await rewind.run({ report: " \n" }, context)).toMatchObject({
    isError: true,
    output: expect.stringMatching(/^The report is empty/),
  });
  expect(reports).toEqual([]);
  expect(await rewind.run({ report: " it is in a.ts\n" }, context)).toEqual({
    output: expect.stringMatching(/end of this step/),
    title: "find it",
  });
  expect(reports).toEqual(["it is in a.ts"]);
  expect(rewind.parse({ report: "" }).ok).toBe(false);
});

test("both are found by searching, change nothing by themselves and describe themselves shortly", () => {
  for (const tool of [createCheckpointTool(), createRewindTool()]) {
    expect(tool.searchHint).toContain("checkpoint");
    expect(tool.description.length).toBeLessThan(900);
    expect(tool.needs({ goal: "g", report: "r" }, "/")).toEqual([]);
    expect(tool.readOnly({ goal: "g", report: "r" })).toBe(true);
    expect(tool.concurrencySafe({ goal: "g", report: "r" })).toBe(false);
  }
});
