import type { Model, Usage } from "@kedge/protocol";
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

test("an unknown model is billed at the assumed tier and marked as estimated", () => {
  expect(costOf(model, { ...usage, cacheRead: 0, cacheWrite: 0 })).toEqual({ usd: 5 + 2 * 25, estimated: true });
});
