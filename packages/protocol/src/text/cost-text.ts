/** A cost as people read it: what is known, and that part of it is not. */
import type { Cost } from "../content.ts";

/** `amount` writes the known part in the form of its surface, such as `$0.0421`. */
export function costText(cost: Cost, amount: (usd: number) => string): string {
  if (isUnknownCost(cost)) return "unknown";
  return cost.estimated ? `${amount(cost.usd)} + unknown` : amount(cost.usd);
}

export function isUnknownCost({ usd, estimated }: Cost): boolean {
  return estimated && usd === 0;
}
