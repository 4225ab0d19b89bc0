/** What a model call costs. */
import type { Cost, Model, Prices, Usage } from "@kedge/protocol";

const tokensPerPrice = 1_000_000;

/** Assumed for a model whose prices nobody stated, so that budgets still mean something. */
const assumedPrices: Prices = { input: 5, output: 25 };

/** What vendors usually ask for cached tokens, as a share of the price of input. */
const cacheReadShare = 0.1;
const cacheWriteShare = 1.25;

/** Reasoning tokens are part of `output` and so are billed as output. */
export function costOf(model: Model, usage: Usage): Cost {
  const prices = model.prices ?? assumedPrices;
  const cacheRead = prices.cacheRead ?? prices.input * cacheReadShare;
  const cacheWrite = prices.cacheWrite ?? prices.input * cacheWriteShare;
  const total =
    usage.input * prices.input +
    usage.output * prices.output +
    usage.cacheRead * cacheRead +
    usage.cacheWrite * cacheWrite;
  return { usd: total / tokensPerPrice, estimated: model.prices === undefined };
}
