/** Proves on drawn calls that no tool and no mention tells anything of a file that a rule closes to reading. */
import { rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { closedRules } from "./closed-files-project.ts";
import { drawCalls, drawMentions, makeLinkedProject, tellsClosed } from "./drawn-closed-calls.ts";
import { runCalls } from "./run-calls.ts";

/** Few enough for one session. */
const callsPerRun = 50;

test("no tool tells anything of a closed file, whatever it is called", async () => {
  const drawn = drawCalls(callsPerRun * rounds({ usual: 1, long: 12 }));
  const told: string[] = [];
  for (let start = 0; start < drawn.length; start += callsPerRun) {
    const calls = drawn.slice(start, start + callsPerRun);
    const run = await runCalls((project) => calls.map((make) => make(project)), {
      settings: { permission: { ...closedRules, edit: "allow" } },
      prepare: makeLinkedProject,
    });
    expect(run.results.length, run.stderr).toBeGreaterThanOrEqual(calls.length);
    // A call of several has several results, so that all that was sent is looked at, and each for its name.
    for (const { output } of run.results) if (tellsClosed(output)) told.push(output.slice(0, 200));
    if (tellsClosed(run.sent)) told.push(`sent in the portion from ${start}`);
  }
  expect(told).toEqual([]);
});

test("no mention brings anything of a closed file, whatever it is called", async () => {
  const mentions = drawMentions(rounds({ usual: 40, long: 200 }));
  const { sent, code, stderr } = await runCalls([], {
    settings: { permission: closedRules },
    prompt: (project) => `look at ${mentions.map((make) => `@${make(project)}, @"${make(project)}"`).join(" and ")}`,
    prepare: makeLinkedProject,
  });
  expect(code, stderr).toBe(0);
  expect(sent).toContain("look at");
  expect(tellsClosed(sent)).toBe(false);
});
