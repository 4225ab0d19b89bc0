/** What a managed policy takes away in a session, and what a plain no does where the user wants to go on. */
import { expect, test } from "vitest";
import { openAuto, running, yes } from "./classifier/auto-session.ts";
import type { HarnessOptions } from "./harness.ts";
import { answerAll, bash, openWorksite, story, working } from "./worksite.ts";

const limited = (policy: NonNullable<NonNullable<HarnessOptions["parts"]>["policy"]>): HarnessOptions["parts"] => ({
  policy,
});

test("with managed rules alone no answer lasts", async () => {
  const parts = limited({ managedRulesOnly: true, disabledModes: [] }) ?? {};
  const { harness } = openWorksite({ turns: working(bash("make a"), bash("make a")), interactive: true, parts });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["session", "once"]);
  await done;
  const question = (callId: string) => ({
    callId,
    patterns: ["make a"],
    always: [],
    reason: "no rule covers make a",
  });
  expect(story(harness.facts()).slice(3, 13)).toEqual([
    question("c1"),
    { answerTo: "c1", reply: "session", source: "user" },
    "c1 allowed by user: allowed once",
    "c1 completed",
    "step 2",
    "answered",
    question("c2"),
    { answerTo: "c2", reply: "once", source: "user" },
    "c2 allowed by user: allowed once",
    "c2 completed",
  ]);
});

test("a mode that is switched off cannot be chosen, and counts as default where a session has it", async () => {
  const parts = limited({ managedRulesOnly: false, disabledModes: ["bypass", "auto"] }) ?? {};
  const { harness, ran } = openWorksite({ turns: working(bash("make a")), parts });
  const sessionId = await harness.open("bypass");
  expect(await harness.engine.send({ type: "mode.change", sessionId, mode: "auto" })).toEqual({
    ok: false,
    failure: {
      code: "invalid_command",
      message: "auto mode is disabled by this machine's managed policy.",
      retryable: false,
    },
  });
  await harness.prompt(sessionId, "go");
  expect(ran).toEqual([]);
  expect(story(harness.facts())[3]).toEqual({ call: "c1", refused: "no rule covers make a", by: "headless" });
});

test("the classifier is not asked where auto is switched off", async () => {
  const parts = limited({ managedRulesOnly: false, disabledModes: ["auto"] }) ?? {};
  const { harness, ran, asked } = openAuto({ classifier: [yes], turns: running("npm test"), parts });
  const sessionId = await harness.open("auto");
  await harness.prompt(sessionId, "Test it.");
  expect({ ran, asked }).toEqual({ ran: [], asked: [] });
});

test("a plain no lets the run go on where the user wants that", async () => {
  const turns = working(bash("make a"), bash("make b"));
  const { harness, ran } = openWorksite({ turns, interactive: true, parts: { continueOnReject: true } });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["reject", "once"]);
  await done;
  expect(ran).toEqual(["make b"]);
  expect(story(harness.facts()).slice(4, 7)).toEqual([
    { answerTo: "c1", reply: "reject", source: "user" },
    { call: "c1", refused: "no rule covers make a", by: "user" },
    "step 2",
  ]);
  expect(story(harness.facts()).at(-1)).toEqual({ ended: "completed", denied: ["c1"] });
});
