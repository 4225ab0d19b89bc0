/** The classifier of one run: one question for equal calls, costs of each, and when it gives up. */
import type { Cost, Usage } from "@kedge/protocol";
import { createCountingIds, createScriptedProvider, type ScriptedAnswer, textAnswer } from "@kedge/testing";
import { expect, test } from "vitest";
import { createRunClassifier } from "../src/classifier/run-classifier.ts";

const yes = textAnswer('{"matches":true,"confidence":"high","matchedDescription":"tests","verdict":"allow"}');
const no = textAnswer('{"matches":false,"confidence":"high","matchedDescription":"push","verdict":"ask"}');
const nonsense = textAnswer("?");

function start(...answers: readonly ScriptedAnswer[]) {
  const provider = createScriptedProvider(answers);
  const costs: { readonly cost: Cost; readonly usage: Usage }[] = [];
  const model = { ref: "small/judge", provider: "small", id: "judge", contextTokens: 50_000, outputTokensMax: 4_000 };
  const classifier = createRunClassifier(
    {
      models: {
        find: async () => ({ ok: true, model, provider }),
        cost: (_, { input, output }) => ({ usd: input + output, estimated: false }),
      },
      model: model.ref,
      rules: { allow: [], softDeny: [], environment: [] },
      monotonicMs: () => 0,
      newRequestId: createCountingIds().newRequestId,
      redact: (text) => text,
    },
    { onCost: (cost, usage) => costs.push({ cost, usage }) },
  );
  const signal = new AbortController().signal;
  const classify = (command: string, userTexts = ["Test it."], how: AbortSignal = signal) =>
    classifier.classify({ tool: "bash", needs: [`bash: ${command}`], cwd: "/project", userTexts }, how);
  return { classifier, classify, costs, requests: provider.requests };
}

test("equal questions are asked once, at the same time or one after the other, and paid once", async () => {
  const { classify, requests, costs } = start(yes, no);
  const [first, second] = await Promise.all([classify("npm test"), classify("npm test")]);
  expect(second).toBe(first);
  expect(await classify("npm test")).toBe(first);
  expect(requests).toHaveLength(1);
  expect(await classify("npm run lint")).toMatchObject({ verdict: "ask", why: "push" });
  const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
  expect(costs).toEqual(Array.from({ length: 2 }, () => ({ cost: { usd: 120, estimated: false }, usage })));
});

test("what the user said meanwhile makes it another question", async () => {
  const { classify, requests } = start(yes, no);
  expect(await classify("npm test")).toMatchObject({ verdict: "allow" });
  expect(await classify("npm test", ["Test it.", "Stop running things."])).toMatchObject({ verdict: "ask" });
  expect(requests).toHaveLength(2);
});

test("a failure is not remembered", async () => {
  const { classify, requests } = start(nonsense, yes);
  expect(await classify("npm test")).toMatchObject({ verdict: "ask", isFailure: true });
  expect(await classify("npm test")).toMatchObject({ verdict: "allow", isFailure: false });
  expect(requests).toHaveLength(2);
});

test("it gives up after three failures in a row, and an answer between them begins the count anew", async () => {
  const { classifier, classify } = start(nonsense, nonsense, no, nonsense, nonsense, nonsense);
  const seen: boolean[] = [];
  for (const command of ["a", "b", "c", "d", "e", "f"]) {
    await classify(command);
    seen.push(classifier.hasGivenUp());
  }
  expect(seen).toEqual([false, false, false, false, false, true]);
});

test("a question that was stopped neither counts as a failure nor forgets those before", async () => {
  const { classifier, classify } = start(nonsense, nonsense, yes, nonsense);
  await classify("a");
  await classify("b");
  expect(await classify("c", ["x"], AbortSignal.abort())).toMatchObject({ isFailure: true });
  expect(classifier.hasGivenUp()).toBe(false);
  await classify("d");
  expect(classifier.hasGivenUp()).toBe(true);
});

test("whoever waits for a question that another one stopped asks it again", async () => {
  const { classify, requests } = start([new Promise(() => undefined)], yes);
  const controller = new AbortController();
  const first = classify("npm test", ["x"], controller.signal);
  const second = classify("npm test", ["x"]);
  controller.abort();
  expect(await first).toMatchObject({ verdict: "ask", isFailure: true });
  expect(await second).toMatchObject({ verdict: "allow" });
  expect(await classify("npm test", ["x"])).toMatchObject({ verdict: "allow" });
  expect(requests).toHaveLength(2);
});
