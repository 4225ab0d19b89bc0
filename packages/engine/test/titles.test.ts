/** How sessions get their names: from a model after the first answer, never over the user's own, never late. */
import { type Fact, noUsage } from "@kedge/protocol";
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
  expect(asked).toMatchObject({ source: "background", tools: [], outputTokensMax: 100 });
  expect(asked?.messages).toEqual([
    {
      role: "user",
      text: "<developer>\nWhy does [REDACTED:password] fail?\n</developer>\n<agent>\nIt retries.\n</agent>",
    },
  ]);
  expect(await harness.store.session(sessionId)).toMatchObject({ title: "Retry logic" });
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
