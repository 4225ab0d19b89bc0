/** Limits of a run: turns, money, tokens, steps, and answers in a wanted form. */
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

function looking(turns: number) {
  const script = Array.from({ length: turns }, (_, n) => calls(call(`c${n}`, "look", { n })));
  return createHarness({ turns: [...script, say("Done.")], tools: [createTool({ name: "look", permission: "read" })] });
}

test("N turns permit exactly N model calls", async () => {
  const harness = looking(5);
  const ended = await harness.prompt(await harness.open(), "go", { turnsMax: 2 });
  expect(ended.fact).toMatchObject({ reason: "error_max_turns", turns: 2 });
  expect(harness.requests).toHaveLength(2);
  expect(harness.facts().filter((fact) => fact.type === "tool.ended")).toHaveLength(2);
  expect(harness.signals().filter((signal) => signal.type === "budget.crossing")).toEqual([
    expect.objectContaining({ limit: "turns", percent: 50 }),
    expect.objectContaining({ limit: "turns", percent: 80 }),
    expect.objectContaining({ limit: "turns", percent: 100 }),
  ]);
});

test("money and tokens stop a run before the next call, and shorten the answer asked for", async () => {
  const money = looking(9);
  const spent = await money.prompt(await money.open(), "go", { budgetUsdMax: 0.0053 });
  expect(spent.fact).toMatchObject({ reason: "error_max_budget", budget: "usd", turns: 3 });
  expect(money.requests.map((request) => request.outputTokensMax)).toEqual([1060, 1030, 1000]);
  const tokens = looking(9);
  const used = await tokens.prompt(await tokens.open(), "go", { tokensMax: 200 });
  expect(used.fact).toMatchObject({ reason: "error_max_budget", budget: "tokens", turns: 2 });
});

test("on the last step the model is told to sum up and gets no tools", async () => {
  const harness = looking(1);
  const ended = await harness.prompt(await harness.open(), "go", { stepsMax: 2 });
  expect(ended.fact).toMatchObject({ reason: "completed", text: "Done.", turns: 2 });
  expect(harness.requests.map((request) => request.tools.length)).toEqual([1, 0]);
  const last = harness.requests[1]?.messages.at(-1);
  expect(last?.role === "user" && last.text).toContain("last step");
});

const schema = {
  type: "object",
  properties: { answer: { type: "integer" } },
  required: ["answer"],
  additionalProperties: false,
} as const;

test("a structured answer is checked, fed back and returned beside the text", async () => {
  const harness = createHarness({
    turns: [
      say("It is 42."),
      calls(call("c1", "structured_output", { answer: "42" })),
      calls(call("c2", "structured_output", { answer: 42 })),
    ],
  });
  const ended = await harness.prompt(await harness.open(), "go", { answerSchema: schema });
  expect(ended.fact).toMatchObject({
    reason: "completed",
    structured: { answer: 42 },
    transitions: ["structured_retry", "tool_results"],
  });
  // After plain text the call is demanded; a call that did not fit was one.
  expect(harness.requests.map(({ toolChoice }) => toolChoice)).toEqual([
    undefined,
    { tool: "structured_output", parallel: false },
    undefined,
  ]);
  expect(harness.requests[0]?.systemTail).toContain("structured_output");
  const misfit = harness.requests[2]?.messages.at(-1);
  expect(misfit?.role === "tool" && misfit.output).toContain("answer: expected integer");
});

test("where no call may be demanded, the wanted answer is asked for in words alone", async () => {
  const harness = createHarness({
    withoutForcedTools: true,
    turns: [say("It is 42."), calls(call("c1", "structured_output", { answer: 42 }))],
  });
  const ended = await harness.prompt(await harness.open(), "go", { answerSchema: schema });
  expect(ended.fact).toMatchObject({ reason: "completed", structured: { answer: 42 } });
  expect(harness.requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined]);
});

test("a model that never answers in the wanted form is stopped after five retries", async () => {
  const harness = createHarness({ turns: Array.from({ length: 9 }, () => say("No.")) });
  const ended = await harness.prompt(await harness.open(), "go", { answerSchema: schema });
  expect(ended.fact).toMatchObject({ reason: "error_max_structured_output_retries", turns: 6 });
});
