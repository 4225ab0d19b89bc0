/** The gates before a model call, with what agents below spend and what is left above. */
import { type Model, noUsage, type RunOptions } from "@kedge/protocol";
import type { EngineParts } from "../parts.ts";
import { checkGates, type Gate } from "./budget.ts";
import type { LoopState } from "./loop-state.ts";
import type { TreeBudget } from "./tree-budget.ts";

export type GateParts = { readonly engine: Pick<EngineParts, "models">; readonly treeBudget: TreeBudget };

export function gateFor(
  { engine, treeBudget }: GateParts,
  options: RunOptions,
  { spent, using: { model } }: Pick<LoopState, "spent" | "using">,
): Gate {
  return checkGates(treeBudget.within(options), spent, model, () => outputPrice(engine, model));
}

function outputPrice({ models }: GateParts["engine"], model: Model): number {
  return models.cost(model, { ...noUsage, output: 1_000_000 }).usd;
}
