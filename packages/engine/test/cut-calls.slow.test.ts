/** Proves over real HTTP on every wire that a call runs only with the very input that was sent, and never without its end. */

import {
  createAnthropicProvider,
  createGoogleProvider,
  createOpenAiChatProvider,
  createOpenAiResponsesProvider,
} from "@kedge/models";
import type { Provider, Tool } from "@kedge/protocol";
import { createSeededRandom, type MockTurn, randomJsonObject, startMockModel } from "@kedge/testing";
import { expect, test } from "vitest";
import { cutOffText } from "../src/call/text/call-input.ts";
import { createHarness } from "./harness.ts";

const makers: { readonly [wire: string]: (options: { readonly baseUrl: string }) => Provider } = {
  chat: createOpenAiChatProvider,
  responses: createOpenAiResponsesProvider,
  anthropic: createAnthropicProvider,
  google: createGoogleProvider,
};

const reasons = ["tool_calls", "stop", "length", "content_filter", "eos", undefined];
const rounds = 60;

/** The tool takes whatever comes: nothing but the engine keeps a cut input from it. */
function canary(ran: unknown[]): Tool {
  return {
    name: "run",
    description: "runs",
    inputSchema: { type: "object", required: ["first"] },
    resultCharactersMax: 1_000,
    parse: (input) => ({ ok: true, input }),
    needs: () => [],
    readOnly: () => false,
    concurrencySafe: () => false,
    run: async (input) => {
      ran.push(input);
      return { output: "ran", title: "" };
    },
  };
}

test.each(Object.entries(makers))("%s", async (wire, make) => {
  const random = createSeededRandom();
  const hasText = wire !== "google";
  let wholeCalls = 0;
  for (let round = 0; round < rounds; round += 1) {
    const input = { first: randomJsonObject(random), last: [] };
    const text = JSON.stringify(input);
    const reason = reasons[random.below(reasons.length)];
    const cut = hasText && random.below(4) > 0 ? text.slice(0, random.below(text.length)) : text;
    const turn: MockTurn = {
      toolCalls: [hasText ? { name: "run", inputText: cut } : { name: "run", input }],
      deltaCharacters: 1 + random.below(20),
      ...(reason === undefined ? { omitFinishReason: true } : { finishReason: reason }),
      ...(random.below(3) === 0 && { dropAfterBytes: 1 + random.below(600) }),
    };
    const done: MockTurn = { text: "Done." };
    const mock = await startMockModel({ script: [turn, done, done, done, done] });
    const ran: unknown[] = [];
    const harness = createHarness({ provider: make({ baseUrl: mock.baseUrl }), tools: [canary(ran)] });
    await harness.prompt(await harness.open("bypass"), "Go");
    await mock.close();
    const told = `seed ${random.seed}, round ${round}, ${reason}: ${cut}`;
    expect(ran, told).toEqual(cut === text && ran.length > 0 ? [input] : []);
    wholeCalls += ran.length;
    const ends = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact] : []));
    const refused = ends.filter(({ outcome }) => outcome === "failed");
    expect(
      refused.map(({ output }) => output),
      told,
    ).toEqual(refused.map(() => (cut === "" ? expect.stringMatching(/cut off|without its arguments/) : cutOffText)));
  }
  expect(wholeCalls, `seed ${random.seed}`).toBeGreaterThan(0);
});
