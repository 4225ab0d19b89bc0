import { type Model, noUsage, type Usage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { costOf } from "./cost.ts";

const model: Model = { ref: "m/a", provider: "m", id: "a", contextTokens: 1, outputTokensMax: 1 };
const usage: Usage = {
  input: 1_000_000,
  output: 2_000_000,
  reasoning: 500_000,
  cacheRead: 3_000_000,
  cacheWrite: 4_000_000,
};

test("cached tokens cost a share of input unless their price is stated, reasoning is part of output", () => {
  expect(costOf({ ...model, prices: { input: 3, output: 15 } }, usage)).toEqual({
    usd: 3 + 2 * 15 + 3 * 0.3 + 4 * 3.75,
    estimated: false,
  });
  expect(costOf({ ...model, prices: { input: 3, output: 15, cacheRead: 1, cacheWrite: 2 } }, usage)).toEqual({
    usd: 3 + 2 * 15 + 3 * 1 + 4 * 2,
    estimated: false,
  });
});

test("reasoning with a price of its own is taken out of output", () => {
  const priced: Model = { ...model, prices: { input: 1, output: 10, reasoning: 4 } };
  const answer: Usage = { ...noUsage, output: 2_000_000, reasoning: 500_000 };
  expect(costOf(priced, answer)).toEqual({ usd: 1.5 * 10 + 0.5 * 4, estimated: false });
  expect(costOf(priced, { ...answer, output: 300_000 })).toEqual({ usd: 0.3 * 4, estimated: false });
});

test("a call larger than the stated size is billed at that tier as a whole, counting cached input", () => {
  const above = { inputTokens: 200_000, prices: { input: 6, output: 20 } } as const;
  const tiered: Model = { ...model, prices: { input: 3, output: 10, cacheRead: 1, cacheWrite: 2, above } };
  const call: Usage = { ...noUsage, input: 50_000, cacheRead: 100_000, cacheWrite: 50_000, output: 100_000 };
  expect(costOf(tiered, call)).toEqual({ usd: 0.15 + 0.1 + 0.1 + 1, estimated: false });
  const larger = costOf(tiered, { ...call, cacheRead: 100_001 });
  expect(larger.usd).toBeCloseTo(0.05 * 6 + 0.100001 * 0.6 + 0.05 * 7.5 + 0.1 * 20, 9);
});

test("each search of the vendor costs a cent", () => {
  const priced: Model = { ...model, prices: { input: 3, output: 15 } };
  expect(costOf(priced, { ...noUsage, webSearches: 3 })).toEqual({ usd: 0.03, estimated: false });
});

test("no price is guessed for a model without one; the vendor's searches still count", () => {
  expect(costOf(model, usage)).toEqual({ usd: 0, estimated: true });
  expect(costOf(model, { ...usage, webSearches: 2 })).toEqual({ usd: 0.02, estimated: true });
});
