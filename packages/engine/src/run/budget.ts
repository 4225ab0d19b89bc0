/** The gates before every model call: turns, money and tokens of one run. */
import {
  addUsage,
  type Cost,
  type Model,
  noUsage,
  type RunOptions,
  type SessionBudget,
  type SessionState,
  type Usage,
} from "@kedge/protocol";

/** Under this many affordable tokens an answer would be cut off at once, so the money gate closes instead. */
const affordableTokensMin = 1000;

export type Spent = { readonly turns: number; readonly usage: Usage; readonly cost: Cost };

export const nothingSpent: Spent = { turns: 0, usage: noUsage, cost: { usd: 0, estimated: false } };

export function spend(spent: Spent, usage: Usage, cost: Cost): Spent {
  return {
    turns: spent.turns + 1,
    usage: addUsage(spent.usage, usage),
    cost: { usd: spent.cost.usd + cost.usd, estimated: spent.cost.estimated || cost.estimated },
  };
}

export type Gate =
  | { readonly open: true; readonly outputTokensMax: number }
  | { readonly open: false; readonly reason: "error_max_turns" }
  | { readonly open: false; readonly reason: "error_max_budget"; readonly budget: "usd" | "tokens" };

/** A model that calls tools it no longer has, instead of summing up, is asked again this often. */
const summingUpTriesMax = 2;

/** `outputPrice` gives US dollars per million output tokens; asked only where money is limited. */
export function checkGates(options: RunOptions, spent: Spent, model: Model, outputPrice: () => number): Gate {
  const { turnsMax = Number.POSITIVE_INFINITY, stepsMax = Number.POSITIVE_INFINITY } = options;
  if (spent.turns >= Math.min(turnsMax, stepsMax + summingUpTriesMax))
    return { open: false, reason: "error_max_turns" };
  let outputTokensMax = model.outputTokensMax;
  if (options.budgetUsdMax !== undefined) {
    const left = options.budgetUsdMax - spent.cost.usd;
    const price = outputPrice();
    const affordable = price > 0 ? Math.floor((left / price) * 1_000_000) : Number.POSITIVE_INFINITY;
    if (left <= 0 || affordable < affordableTokensMin)
      return { open: false, reason: "error_max_budget", budget: "usd" };
    outputTokensMax = Math.min(outputTokensMax, affordable);
  }
  if (options.tokensMax !== undefined && tokensOf(spent.usage) >= options.tokensMax) {
    return { open: false, reason: "error_max_budget", budget: "tokens" };
  }
  return { open: true, outputTokensMax };
}

/** The limits of a run, no wider than what is left of the budget of its session. A limit set since then counts. */
export function withinSession(
  options: RunOptions,
  { budget: stored, turns, cost, usage, agentsUse }: Sums,
  setSince?: SessionBudget,
): RunOptions {
  const budget = setSince ?? stored;
  if (budget === undefined) return options;
  const { turnsMax, usdMax, tokensMax } = budget;
  return {
    ...options,
    ...(turnsMax !== undefined && { turnsMax: leastOf(options.turnsMax, turnsMax - turns) }),
    ...(usdMax !== undefined && {
      budgetUsdMax: leastOf(options.budgetUsdMax, usdMax - cost.usd - agentsUse.cost.usd),
    }),
    ...(tokensMax !== undefined && {
      tokensMax: leastOf(options.tokensMax, tokensMax - tokensOf(usage) - tokensOf(agentsUse.usage)),
    }),
  };
}

type Sums = Pick<SessionState, "budget" | "turns" | "cost" | "usage" | "agentsUse">;

function leastOf(own: number | undefined, left: number): number {
  return Math.min(own ?? left, left);
}

export function tokensOf(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

export type Crossing = { readonly limit: "turns" | "usd" | "tokens"; readonly percent: 50 | 80 | 100 };

const marks = [50, 80, 100] as const;

/** The marks of any limit that lie between what was spent before and what is spent now. */
export function crossings(options: RunOptions, before: Spent, now: Spent): readonly Crossing[] {
  const limits = [
    { limit: "turns", max: options.turnsMax, from: before.turns, to: now.turns },
    { limit: "usd", max: options.budgetUsdMax, from: before.cost.usd, to: now.cost.usd },
    { limit: "tokens", max: options.tokensMax, from: tokensOf(before.usage), to: tokensOf(now.usage) },
  ] as const;
  return limits.flatMap(({ limit, max, from, to }) =>
    max === undefined
      ? []
      : marks
          .filter((percent) => from < (max * percent) / 100 && to >= (max * percent) / 100)
          .map((percent) => ({ limit, percent })),
  );
}
