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

/** Strings with escapes and letters of several units, arrays, objects, each inside of each. */
const everyKind = {
  first: 'a "ü👍" \\ },]',
  list: [1, -2.5, [true, null], {}],
  nested: { "": "", more: { 'a"b': ["x\n"] } },
};
const everyKindText = JSON.stringify(everyKind);
const everyCut = reasons.flatMap((reason) =>
  Array.from({ length: everyKindText.length }, (_, length) => ({ reason, cut: everyKindText.slice(0, length) })),
);
const exhaustive = process.env["KEDGE_TEST_TIER"] === "long";
const textWires = Object.entries(makers).filter(([wire]) => wire !== "google");

/** In the usual run a sample: the full product is in `--long`. */
test.each(textWires)(
  "%s: a call cut at every byte, under every reason to stop",
  { timeout: 900_000 },
  async (_, make) => {
    const random = createSeededRandom();
    const cuts = exhaustive ? everyCut : random.shuffle(everyCut).slice(0, 60);
    let turn: MockTurn | undefined;
    // Whatever is asked after the call is answered with an end.
    const script = (): MockTurn => {
      const next = turn ?? { text: "Done." };
      turn = undefined;
      return next;
    };
    const mock = await startMockModel({ script });
    const ran: unknown[] = [];
    const tool: Tool = { ...canary(ran), inputSchema: { type: "object" } };
    for (const { reason, cut } of cuts) {
      turn = {
        toolCalls: [{ name: "run", inputText: cut }],
        deltaCharacters: 7,
        ...(reason === undefined ? { omitFinishReason: true } : { finishReason: reason }),
      };
      const harness = createHarness({ provider: make({ baseUrl: mock.baseUrl }), tools: [tool] });
      await harness.prompt(await harness.open("bypass"), "Go");
      // Without a byte of input and with the word of the vendor that this was all, it is a call without arguments.
      const isEmptyCall = cut === "" && (reason === "tool_calls" || reason === "stop" || reason === "eos");
      expect(isEmptyCall ? [] : ran, `seed ${random.seed}, ${reason}: ${cut}`).toEqual([]);
      ran.length = 0;
    }
    turn = { toolCalls: [{ name: "run", inputText: everyKindText }], finishReason: "tool_calls" };
    const harness = createHarness({ provider: make({ baseUrl: mock.baseUrl }), tools: [tool] });
    await harness.prompt(await harness.open("bypass"), "Go");
    expect(ran).toEqual([everyKind]);
    await mock.close();
  },
);
