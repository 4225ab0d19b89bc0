/** What a model call costs. */
import type { Cost, Model, Prices, Usage } from "@kedge/protocol";

const tokensPerPrice = 1_000_000;

/** What vendors usually ask for cached tokens, as a share of the price of input. */
const cacheReadShare = 0.1;
const cacheWriteShare = 1.25;

const webSearchUsd = 0.01;

/**
 * A model without a stated price costs nothing that anybody knows: a guess would stop budgets that are not used up.
 * Reasoning tokens are part of `output` and are billed as output unless they have a price of their own.
 */
export function costOf(model: Model, usage: Usage): Cost {
  const searches = (usage.webSearches ?? 0) * webSearchUsd;
  if (model.prices === undefined) return { usd: searches, estimated: true };
  const prices = pricesOfCall(model.prices, usage);
  const reasoning = prices.reasoning === undefined ? 0 : Math.min(usage.reasoning, usage.output);
  const tokens =
    usage.input * prices.input +
    (usage.output - reasoning) * prices.output +
    reasoning * (prices.reasoning ?? prices.output) +
    usage.cacheRead * (prices.cacheRead ?? prices.input * cacheReadShare) +
    usage.cacheWrite * (prices.cacheWrite ?? prices.input * cacheWriteShare);
  return { usd: tokens / tokensPerPrice + searches, estimated: false };
}

/** A long call is billed at its own prices as a whole, not only for what goes beyond the size. */
function pricesOfCall(prices: Prices, { input, cacheRead, cacheWrite }: Usage): Prices {
  const { above } = prices;
  return above !== undefined && input + cacheRead + cacheWrite > above.inputTokens ? above.prices : prices;
}
