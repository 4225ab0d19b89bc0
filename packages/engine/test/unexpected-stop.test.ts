/** Proves when an answer that only announces work is followed by another step, and how often a model is asked about it. */
import type { Fact, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import { createScriptedProvider, type ScriptedAnswer } from "@kedge/testing";
import { expect, test } from "vitest";
import type { UnexpectedStopSettings } from "../src/index.ts";
import { call, calls, createHarness, createTool, end, type Harness, say } from "./harness.ts";

type Site = {
  readonly harness: Harness;
  readonly asked: readonly ModelRequest[];
  readonly judged: readonly ModelRequest[];
};

const smart: UnexpectedStopSettings = { detection: "smart", questions: false };

function open(
  turns: readonly ScriptedAnswer[],
  verdicts: readonly ScriptedAnswer[],
  unexpectedStop: UnexpectedStopSettings | "unset" = smart,
): Site {
  const main = createScriptedProvider(turns);
  const side = createScriptedProvider(verdicts);
  const provider: Provider = {
    stream: (request, signal) => (request.source === "background" ? side : main).stream(request, signal),
  };
  const tools = [createTool({ name: "look" })];
  const parts = unexpectedStop === "unset" ? {} : { unexpectedStop };
  return { harness: createHarness({ provider, tools, parts }), asked: main.requests, judged: side.requests };
}

async function run(site: Site, mode: "default" | "plan" = "default") {
  const sessionId = await site.harness.open(mode);
  const { fact } = await site.harness.prompt(sessionId, "Mend it.");
  const reminders = site.harness.facts().flatMap((each) => (each.type === "step.started" ? each.reminders : []));
  const warnings = site.harness.signals().flatMap((signal) => (signal.type === "notice" ? [signal.text] : []));
  return { fact, models: site.asked.length, classifications: site.judged.length, reminders, warnings };
}

const announced = say("I am fixing it now.");
const reminder = (attempt: number) => expect.stringContaining(`(attempt ${attempt} of 3)`);

test("switched off nothing is asked, and the first answer is the last", async () => {
  for (const settings of ["unset", { detection: "mechanical", questions: false }] as const) {
    expect(await run(open([announced], [], settings))).toMatchObject({
      fact: { reason: "completed", text: "I am fixing it now.", transitions: [] },
      models: 1,
      classifications: 0,
      reminders: [],
      warnings: [],
    });
  }
});

test("yes once: two answers, two questions, one reminder, and all of it is counted", async () => {
  const site = open([announced, say("Fixed.")], [say("YES"), say("no.")]);
  const { fact, ...counts } = await run(site);
  expect(counts).toEqual({ models: 2, classifications: 2, reminders: [reminder(1)], warnings: [] });
  const usage = { input: 400, output: 40, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
  expect(fact).toEqual({
    type: "run.ended",
    runId: "run_1",
    reason: "completed",
    text: "Fixed.",
    usage,
    usageByModel: { "mock/model": usage },
    cost: { usd: expect.closeTo(0.0006, 8), estimated: false },
    turns: 2,
    durationMs: expect.any(Number),
    transitions: ["unexpected_stop"],
    denials: [],
    stopReason: "end",
  });
  expect(site.asked[1]?.messages).toEqual([
    { role: "user", text: "Mend it." },
    { role: "assistant", content: [{ type: "text", text: "I am fixing it now." }], model: "mock/model" },
    { role: "user", text: reminder(1) },
  ]);
  expect(site.judged[0]).toMatchObject({
    messages: [{ role: "user", text: "I am fixing it now." }],
    outputTokensMax: 16,
    model: { temperature: 0 },
    tools: [],
  });
});

test("no, and whatever is neither yes nor no, end the run", async () => {
  const failed: readonly ModelEvent[] = [
    { type: "failed", failure: { code: "server_error", message: "down", retryable: false } },
  ];
  for (const verdict of [say("NO"), say("Perhaps"), failed]) {
    expect(await run(open([announced], [verdict]))).toMatchObject({
      fact: { reason: "completed", transitions: [] },
      models: 1,
      classifications: 1,
      reminders: [],
      warnings: [],
    });
  }
});

test("always yes: four answers, four questions, three reminders, one warning", async () => {
  const yes = say(" yes");
  expect(await run(open([announced, announced, announced, announced], [yes, yes, yes, yes]))).toMatchObject({
    fact: {
      reason: "completed",
      transitions: ["unexpected_stop", "unexpected_stop", "unexpected_stop"],
    },
    models: 4,
    classifications: 4,
    reminders: [reminder(1), reminder(2), reminder(3)],
    warnings: [expect.stringContaining("announced work 4 times")],
  });
});

test("a turn with a tool and an answer that was cut off are not asked about; work in between counts anew", async () => {
  const cut: readonly ModelEvent[] = [{ type: "text-delta", text: "Next I" }, end("output-limit")];
  const site = open(
    [announced, calls(call("a", "look", {})), announced, cut, say(" did it.")],
    [say("yes"), say("yes"), say("no")],
  );
  const { fact, ...counts } = await run(site);
  expect(counts).toMatchObject({
    models: 5,
    classifications: 3,
    reminders: [reminder(1), reminder(1), expect.any(String)],
  });
  expect(fact).toMatchObject({
    transitions: ["unexpected_stop", "tool_results", "unexpected_stop", "output_resume"],
    text: "Next I did it.",
  });
});

test("while it plans a model may stop, and so it may where no further step would be let through", async () => {
  expect(await run(open([announced], []), "plan")).toMatchObject({ models: 1, classifications: 0 });
  const site = open([announced], []);
  await site.harness.prompt(await site.harness.open(), "Mend it.", { turnsMax: 1 });
  expect(site.judged).toEqual([]);
  expect(ended(site)).toMatchObject({ reason: "completed" });
  const dear = open([announced], [say("yes")]);
  await dear.harness.prompt(await dear.harness.open(), "Mend it.", { tokensMax: 200 });
  expect(dear.judged).toHaveLength(1);
  expect(ended(dear)).toMatchObject({ reason: "completed", transitions: [], usage: { input: 200 } });
});

test("an interruption during the question ends the run, and a newer prompt comes first", async () => {
  const site: Site = open(
    [announced],
    [
      () => {
        void site.harness.engine.send({ type: "turn.interrupt", sessionId: "ses_1" });
        return say("yes");
      },
    ],
  );
  expect(await run(site)).toMatchObject({ fact: { reason: "aborted", transitions: [] }, models: 1 });

  const main = createScriptedProvider([announced, say("Then that.")]);
  const side = createScriptedProvider([say("yes"), say("no")]);
  let questions = 0;
  const provider: Provider = {
    async *stream(request, signal) {
      const isQuestion = request.source === "background";
      if (isQuestion) questions += 1;
      if (isQuestion && questions === 1) await harness.submit("ses_1", "Do that instead.");
      yield* (isQuestion ? side : main).stream(request, signal);
    },
  };
  const harness = createHarness({ provider, parts: { unexpectedStop: smart } });
  const { fact, reminders } = await run({ harness, asked: main.requests, judged: side.requests });
  expect(reminders).toEqual([]);
  expect(fact).toMatchObject({ transitions: ["queued_input"], text: "Then that." });
});

test("an empty answer is asked for again, unless that is switched off as well", async () => {
  const nothing = [end("end")];
  const once = await run(open([nothing, say("Done.")], [], { detection: "mechanical", questions: false }));
  expect(once).toMatchObject({ models: 2, fact: { transitions: ["unexpected_stop"], text: "Done." } });
  const off = await run(open([nothing], [], { detection: "none", questions: false }));
  expect(off).toMatchObject({ models: 1, fact: { reason: "completed", emptyAnswer: true, transitions: [] } });
});

function ended({ harness }: Site): Fact | undefined {
  return harness.facts().findLast(({ type }) => type === "run.ended");
}
