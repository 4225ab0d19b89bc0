/** Sums of what steps and tool calls used and cost, added up one by one. */
import {
  addUsage,
  type Cost,
  noUsage,
  type ToolCounts,
  type ToolOutcome,
  type Usage,
  type UsageSum,
} from "@kedge/protocol";

export const nothingUsed: UsageSum = { steps: 0, usage: noUsage, cost: { usd: 0, estimated: false } };

export function addStep(sum: UsageSum, usage: Usage, cost: Cost): UsageSum {
  return { ...addBeside(sum, usage, cost), steps: sum.steps + 1 };
}

/** What was paid for something that is no step of the conversation. */
export function addBeside(sum: UsageSum, usage: Usage, cost: Cost): UsageSum {
  return {
    steps: sum.steps,
    usage: addUsage(sum.usage, usage),
    cost: { usd: sum.cost.usd + cost.usd, estimated: sum.cost.estimated || cost.estimated },
  };
}

/** The share of the input that came from the vendor's cache, from 0 to 1. */
export function cacheHitShare({ input, cacheRead, cacheWrite }: Usage): number {
  const total = input + cacheRead + cacheWrite;
  return total === 0 ? 0 : cacheRead / total;
}

const noCalls: ToolCounts = { completed: 0, failed: 0, refused: 0, interrupted: 0 };

export function addCall(counts: ToolCounts = noCalls, outcome: ToolOutcome): ToolCounts {
  return { ...counts, [outcome]: counts[outcome] + 1 };
}

export function callsIn({ completed, failed, refused, interrupted }: ToolCounts): number {
  return completed + failed + refused + interrupted;
}
