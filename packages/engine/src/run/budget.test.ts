import { type Model, noUsage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { checkGates, crossings, nothingSpent, type Spent, spend } from "./budget.ts";

const model: Model = { ref: "m/m", provider: "m", id: "m", contextTokens: 100_000, outputTokensMax: 8000 };
const outputPrice = () => 10;

function spentOf(turns: number, usd: number, tokens = 0): Spent {
  return { turns, usage: { ...noUsage, input: tokens }, cost: { usd, estimated: false } };
}

test("no limits, no gate", () => {
  expect(checkGates({}, spentOf(1000, 1000), model, outputPrice)).toEqual({ open: true, outputTokensMax: 8000 });
});

test("a limit of N turns permits exactly N model calls", () => {
  expect(checkGates({ turnsMax: 2 }, spentOf(1, 0), model, outputPrice).open).toBe(true);
  expect(checkGates({ turnsMax: 2 }, spentOf(2, 0), model, outputPrice)).toEqual({
    open: false,
    reason: "error_max_turns",
  });
});

test("a run that has to sum up and does not is ended after two more turns", () => {
  expect(checkGates({ stepsMax: 3 }, spentOf(4, 0), model, outputPrice).open).toBe(true);
  expect(checkGates({ stepsMax: 3 }, spentOf(5, 0), model, outputPrice)).toEqual({
    open: false,
    reason: "error_max_turns",
  });
});

test("turns are checked before money, money before tokens", () => {
  const all = { turnsMax: 1, budgetUsdMax: 1, tokensMax: 1 };
  expect(checkGates(all, spentOf(1, 1, 1), model, outputPrice)).toMatchObject({ reason: "error_max_turns" });
  expect(checkGates(all, spentOf(0, 1, 1), model, outputPrice)).toMatchObject({ budget: "usd" });
  expect(checkGates(all, spentOf(0, 0, 1), model, outputPrice)).toMatchObject({ budget: "tokens" });
});

test("an answer is never longer than the money left can pay for", () => {
  expect(checkGates({ budgetUsdMax: 1 }, spentOf(1, 0.95), model, outputPrice)).toEqual({
    open: true,
    outputTokensMax: 5000,
  });
  expect(checkGates({ budgetUsdMax: 1 }, spentOf(1, 0.995), model, outputPrice)).toEqual({
    open: false,
    reason: "error_max_budget",
    budget: "usd",
  });
});

test("each mark of a limit is crossed once", () => {
  const options = { turnsMax: 10, budgetUsdMax: 1 };
  expect(crossings(options, spentOf(4, 0.4), spentOf(5, 0.85))).toEqual([
    { limit: "turns", percent: 50 },
    { limit: "usd", percent: 50 },
    { limit: "usd", percent: 80 },
  ]);
  expect(crossings(options, spentOf(5, 0.85), spentOf(6, 0.9))).toEqual([]);
  expect(crossings(options, spentOf(9, 0.9), spentOf(10, 1.2))).toEqual([
    { limit: "turns", percent: 100 },
    { limit: "usd", percent: 100 },
  ]);
});

test("spending adds up", () => {
  const usage = { ...noUsage, input: 3, output: 4 };
  const once = spend(nothingSpent, usage, { usd: 0.5, estimated: true });
  expect(spend(once, usage, { usd: 0.25, estimated: false })).toEqual({
    turns: 2,
    usage: { ...noUsage, input: 6, output: 8 },
    cost: { usd: 0.75, estimated: true },
  });
});
