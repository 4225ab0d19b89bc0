/** How many of the messages that wait a step takes, and how many prompts for later a run takes. */
import type { Fact, RunOptions, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { QueueMode } from "../src/index.ts";
import { call, calls, createHarness, createTool, type Harness, type HarnessOptions, say } from "./harness.ts";

function gatedTool(): { readonly tool: Tool; readonly release: () => void } {
  const gate = Promise.withResolvers<void>();
  const run = async () => {
    await gate.promise;
    return { output: "looked", title: "look" };
  };
  return { tool: createTool({ name: "look", permission: "read", run }), release: gate.resolve };
}

/** The prompts, the steps with what they took, and the ends, in their order. */
function told(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap((fact) => {
    if (fact.type === "prompt.admitted") return [`${fact.promptId} for ${fact.runId}: ${fact.text}`];
    if (fact.type === "prompt.withdrawn") return [`${fact.promptId} withdrawn`];
    if (fact.type === "step.started") {
      return [
        `step of ${fact.runId}: ${fact.prompts.map(({ promptId, form }) => `${promptId} as ${form}`).join(", ")}`,
      ];
    }
    return fact.type === "run.ended" ? [`end of ${fact.runId}: ${fact.reason} ${fact.transitions.join(" ")}`] : [];
  });
}

type Busy = { readonly harness: Harness; readonly sessionId: string; readonly release: () => void };

/** A call is under way. */
async function busy(parts: HarnessOptions["parts"], turns: HarnessOptions["turns"] = []): Promise<Busy> {
  const { tool, release } = gatedTool();
  const first = calls(call("a", "look", {}));
  const harness = createHarness({ turns: [first, ...turns], tools: [tool], ...(parts && { parts }) });
  const sessionId = await harness.open();
  await harness.submit(sessionId, "go");
  await harness.waitForFact("tool.started");
  return { harness, sessionId, release };
}

function later({ harness, sessionId }: Busy, text: string, options: RunOptions = {}) {
  return harness.engine.send({ type: "prompt.submit", sessionId, text, delivery: "follow-up", options });
}

const answers = [say("1"), say("2"), say("3")];

test.each<[QueueMode | undefined, readonly string[]]>([
  ["one-at-a-time", ["prm_2 as steer", "prm_3 as prompt", "prm_4 as prompt"]],
  ["all", ["prm_2 as steer, prm_3 as steer, prm_4 as steer"]],
  [undefined, ["prm_2 as steer, prm_3 as steer, prm_4 as steer"]],
])("three messages during a run with steeringMode %s", async (steeringMode, steps) => {
  const { harness, sessionId, release } = await busy(steeringMode && { steeringMode }, answers);
  for (const text of ["x", "y", "z"]) await harness.submit(sessionId, text);
  release();
  await harness.waitForFact("run.ended");
  expect(told(harness.facts())).toEqual([
    "prm_1 for run_1: go",
    "step of run_1: prm_1 as prompt",
    "prm_2 for run_1: x",
    "prm_3 for run_1: y",
    "prm_4 for run_1: z",
    ...steps.map((step) => `step of run_1: ${step}`),
    `end of run_1: completed ${["tool_results", ...steps.slice(1).map(() => "queued_input")].join(" ")}`,
  ]);
});

test("one at a time, what was withdrawn or revised meanwhile counts as it is then", async () => {
  const { harness, sessionId, release } = await busy({ steeringMode: "one-at-a-time" }, answers);
  for (const text of ["x", "y", "z"]) await harness.submit(sessionId, text);
  await harness.engine.send({ type: "prompt.withdraw", sessionId, promptId: "prm_2" });
  await harness.engine.send({ type: "prompt.revise", sessionId, promptId: "prm_4", text: "other" });
  release();
  await harness.waitForFact("run.ended");
  expect(told(harness.facts()).slice(5)).toEqual([
    "prm_2 withdrawn",
    "step of run_1: prm_3 as steer",
    "step of run_1: prm_4 as prompt",
    "end of run_1: completed tool_results queued_input",
  ]);
  expect(harness.requests[2]?.messages.at(-1)).toEqual({ role: "user", text: "other" });
});

test("one at a time, messages that an interrupt left come before the next prompt, each with a step of its own", async () => {
  const { harness, sessionId, release } = await busy({ steeringMode: "one-at-a-time" }, answers);
  for (const text of ["x", "y"]) await harness.submit(sessionId, text);
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  release();
  await harness.waitForFact("run.ended");
  const before = told(harness.facts()).length;
  await harness.submit(sessionId, "again");
  await harness.waitForFact("run.ended", 2);
  expect(told(harness.facts()).slice(before)).toEqual([
    "prm_4 for run_2: again",
    "step of run_2: prm_2 as prompt",
    "step of run_2: prm_3 as prompt",
    "step of run_2: prm_4 as prompt",
    "end of run_2: completed queued_input queued_input",
  ]);
});

test.each<[QueueMode | undefined, readonly string[]]>([
  [
    "all",
    [
      "prm_3 for run_2: y",
      "step of run_1: ",
      "end of run_1: completed tool_results",
      "step of run_2: prm_2 as prompt, prm_3 as prompt",
      "end of run_2: completed ",
    ],
  ],
  ...(["one-at-a-time", undefined] as const).map((mode): [QueueMode | undefined, readonly string[]] => [
    mode,
    [
      "prm_3 for run_3: y",
      "step of run_1: ",
      "end of run_1: completed tool_results",
      "step of run_2: prm_2 as prompt",
      "end of run_2: completed ",
      "step of run_3: prm_3 as prompt",
      "end of run_3: completed ",
    ],
  ]),
])("two prompts for later with followUpMode %s", async (followUpMode, facts) => {
  const session = await busy(followUpMode && { followUpMode }, answers);
  await later(session, "x");
  await later(session, "y");
  session.release();
  await session.harness.waitForFact("run.ended", facts.filter((fact) => fact.startsWith("end")).length);
  expect(told(session.harness.facts()).slice(2)).toEqual(["prm_2 for run_2: x", ...facts]);
});

test("prompts for later with other options get runs of their own, also where all are taken", async () => {
  const session = await busy({ followUpMode: "all" }, answers);
  await later(session, "x", { turnsMax: 5 });
  await later(session, "y", { turnsMax: 5 });
  await later(session, "z", { turnsMax: 6 });
  session.release();
  await session.harness.waitForFact("run.ended", 3);
  expect(told(session.harness.facts()).slice(2)).toEqual([
    "prm_2 for run_2: x",
    "prm_3 for run_2: y",
    "prm_4 for run_3: z",
    "step of run_1: ",
    "end of run_1: completed tool_results",
    "step of run_2: prm_2 as prompt, prm_3 as prompt",
    "end of run_2: completed ",
    "step of run_3: prm_4 as prompt",
    "end of run_3: completed ",
  ]);
});

test("with one steering message and all prompts for later, each waits for its own boundary", async () => {
  const session = await busy({ steeringMode: "one-at-a-time", followUpMode: "all" }, [...answers, say("4")]);
  const { harness, sessionId, release } = session;
  await later(session, "then");
  await harness.submit(sessionId, "x");
  await later(session, "and then");
  await harness.submit(sessionId, "y");
  release();
  await harness.waitForFact("run.ended", 2);
  expect(told(harness.facts()).slice(2)).toEqual([
    "prm_2 for run_2: then",
    "prm_3 for run_1: x",
    "prm_4 for run_2: and then",
    "prm_5 for run_1: y",
    "step of run_1: prm_3 as steer",
    "step of run_1: prm_5 as prompt",
    "end of run_1: completed tool_results queued_input",
    "step of run_2: prm_2 as prompt, prm_4 as prompt",
    "end of run_2: completed ",
  ]);
});
