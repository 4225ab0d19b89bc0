/** Counts what a run spends beside its steps, and tells when one of its limits comes near. */
import { addUsage, noUsage, type RunOptions } from "@kedge/protocol";
import type { Journal } from "../journal.ts";
import { crossings, type Spent } from "../run/budget.ts";
import type { LoopState } from "../run/loop-state.ts";
import type { Spending } from "./compaction-parts.ts";

export function chargeRun(
  journal: Journal,
  options: RunOptions,
  state: LoopState,
  { usage, cost, model }: Spending,
): LoopState {
  const { spent, usageByModel } = state;
  const now: Spent = {
    turns: spent.turns,
    usage: addUsage(spent.usage, usage),
    cost: { usd: spent.cost.usd + cost.usd, estimated: spent.cost.estimated || cost.estimated },
  };
  tellCrossings(journal, options, spent, now);
  if (model === undefined) return { ...state, spent: now };
  const ofModel = addUsage(usageByModel[model] ?? noUsage, usage);
  return { ...state, spent: now, usageByModel: { ...usageByModel, [model]: ofModel } };
}

export function tellCrossings(journal: Journal, options: RunOptions, before: Spent, now: Spent): void {
  const { sessionId } = journal.state;
  for (const crossing of crossings(options, before, now)) {
    journal.signal({ type: "budget.crossing", sessionId, ...crossing });
  }
}
