/** How sessions get their names: from a model after the first answer, never over the user's own, never late. */
import { type Fact, type ModelEvent, noUsage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createHarness, type HarnessOptions, say } from "./harness.ts";

const titled = (fact: Fact) => fact.type === "session.updated";

function open(options: HarnessOptions) {
  return createHarness({ ...options, parts: { titles: {} } });
}

test("the first answer is followed by a name, which is counted and asked for once", async () => {
  const harness = open({ turns: [say("It retries."), say("<title>Retry logic</title>"), say("More.")] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "Why does hunter2 fail?");
  await harness.waitForFact("session.updated");
  await harness.prompt(sessionId, "And then?");
  await harness.engine.close();
  expect(harness.facts().filter(titled)).toEqual([
    {
      type: "session.updated",
      title: "Retry logic",
      titleSource: "model",
      usage: { ...noUsage, input: 100, output: 10 },
      cost: { usd: 0.00015, estimated: false },
    },
  ]);
  const [, asked] = harness.requests;
  expect(asked).toMatchObject({
    ...{ source: "background", outputTokensMax: 100 },
    tools: [{ name: "set_title" }],
    toolChoice: { tool: "set_title", parallel: false },
  });
  expect(asked?.messages).toEqual([
    {
      role: "user",
      text: "<developer>\nWhy does [REDACTED:password] fail?\n</developer>\n<agent>\nIt retries.\n</agent>",
    },
  ]);
  expect(await harness.store.session(sessionId)).toMatchObject({ title: "Retry logic" });
});

test.each([
  ['{"title":"Retry logic."}', "Retry logic"],
  ['{"title":"Cut of', "In words"],
  ['{"name":"Retry logic"}', "In words"],
])("a name through the tool, and words where its input is none: %s", async (inputText, title) => {
  const call = { type: "tool-call", callId: "call_1", tool: "set_title", inputText } as const;
  const named: readonly ModelEvent[] = [
    { type: "text-delta", text: "In words" },
    { type: "tool-call", call },
    { type: "end", stopReason: "tool-calls", usage: noUsage },
  ];
  const harness = open({ turns: [say("It retries."), named] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "Why?");
  await harness.waitForFact("session.updated");
  await harness.engine.close();
  expect(await harness.store.session(sessionId)).toMatchObject({ title });
});

test("a prompt of the user's that says nothing of the form is told it, for models without tools", async () => {
  for (const [prompt, told] of [
    ["Name it like a ship.", "Name it like a ship.\nAnswer with the name alone: <title>name</title>"],
    ["In <title> marks.", "In <title> marks."],
  ] as const) {
    const titles = { prompt: async () => prompt };
    const harness = createHarness({ turns: [say("Yes."), say("<title>The Retrier")], parts: { titles } });
    const sessionId = await harness.open();
    await harness.prompt(sessionId, "Why?");
    await harness.waitForFact("session.updated");
    await harness.engine.close();
    expect(harness.requests[1]?.system).toBe(told);
    expect(await harness.store.session(sessionId)).toMatchObject({ title: "The Retrier" });
  }
});

test("a model that cannot be told to call the tool is asked for words", async () => {
  for (const unable of [{ withoutForcedTools: true }, { withoutTools: true }] as const) {
    const harness = open({ turns: [say("It retries."), say("Retry logic.")], ...unable });
    const sessionId = await harness.open();
    await harness.prompt(sessionId, "Why?");
    await harness.waitForFact("session.updated");
    await harness.engine.close();
    expect(harness.requests[1]).toMatchObject({ tools: [], system: expect.stringContaining("<title>name</title>") });
    expect(harness.requests[1]?.toolChoice).toBeUndefined();
    expect(await harness.store.session(sessionId)).toMatchObject({ title: "Retry logic" });
  }
});

test("a failure keeps the words of the prompt, and nothing is asked without a wish for names", async () => {
  const failing = open({
    turns: [say("Yes."), [{ type: "failed", failure: { code: "server_error", message: "no", retryable: false } }]],
  });
  const sessionId = await failing.open();
  await failing.prompt(sessionId, "Does it work?");
  await failing.engine.close();
  expect(failing.facts().filter(titled)).toEqual([]);
  expect(await failing.store.session(sessionId)).toMatchObject({ title: "Does it work?" });

  const plain = createHarness({ turns: [say("Yes.")] });
  await plain.prompt(await plain.open(), "Does it work?");
  await plain.engine.close();
  expect(plain.requests).toHaveLength(1);
});

test("a name that the user gave meanwhile stays", async () => {
  const harness = open({ turns: [say("Yes."), say("<title>By the model</title>")] });
  const sessionId = await harness.open();
  await harness.engine.send({ type: "session.update", sessionId, title: "Mine" });
  await harness.prompt(sessionId, "Does it work?");
  await harness.engine.close();
  expect(harness.requests).toHaveLength(1);
  expect(await harness.store.session(sessionId)).toMatchObject({ title: "Mine" });
});
