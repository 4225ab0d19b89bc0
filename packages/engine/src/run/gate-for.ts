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

/** A limit that cannot be reached, because nobody knows what the model costs, is said and not enforced by a guess. */
export function unpricedNotice(
  { models }: GateParts["engine"],
  { budgetUsdMax }: RunOptions,
  model: Model,
): string | undefined {
  if (budgetUsdMax === undefined || !models.cost(model, { ...noUsage, output: 1 }).estimated) return undefined;
  return `The cost limit can't stop this run: no price is known for ${model.ref}. Set provider.${model.provider}.models."${model.id}".cost, or limit turns or tokens.`;
}

function outputPrice({ models }: GateParts["engine"], model: Model): number {
  return models.cost(model, { ...noUsage, output: 1_000_000 }).usd;
}
