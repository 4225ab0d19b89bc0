/** Has a model with a larger window take over, where the user named one and the budget of the run bears it. */
import { type Model, noUsage, type Usage } from "@kedge/protocol";
import type { EngineParts } from "../parts.ts";
import { checkGates, type Gate, type Spent } from "../run/budget.ts";
import { goOn, type LoopState, type Next, type Run } from "../run/loop-state.ts";
import type { CareBasis } from "./care-basis.ts";

/** At most once in a run, and apart from the fallback after an outage. */
export async function promoteRun(
  basis: CareBasis,
  run: Run,
  state: LoopState,
  tokens: number,
): Promise<Next | undefined> {
  const { engine } = basis;
  const target = engine.compaction?.promotionModel;
  const from = state.using.model;
  if (target === undefined || state.tried.promoted || target === from.ref) return undefined;
  const found = await engine.models.find(target);
  if (!found.ok) {
    basis.noticeOnce(`The larger-context model is unavailable: ${found.failure.message}`);
    return undefined;
  }
  const { model } = found;
  if (model.contextTokens <= from.contextTokens || tokens >= model.contextTokens) return undefined;
  const input = run.options.budgetUsdMax === undefined ? 0 : priceOf(engine, model, { input: tokens });
  const { spent } = state;
  const after: Spent = { ...spent, cost: { ...spent.cost, usd: spent.cost.usd + input } };
  if (!gateOf(engine, run, after, model).open) return undefined;
  basis.notice(`The conversation no longer fits ${from.ref}. Continuing this run with ${model.ref}.`);
  return goOn(state, "context_promoted", {
    using: found,
    system: run.system(model),
    fallback: { from: from.ref, reason: "context" },
    tried: { ...state.tried, promoted: true },
  });
}

/** What the budget of the run leaves for one answer. */
export function affordableOutput(engine: EngineParts, run: Run, { spent, using }: LoopState): number {
  const gate = gateOf(engine, run, spent, using.model);
  return gate.open ? gate.outputTokensMax : 0;
}

function gateOf(engine: EngineParts, { options }: Run, spent: Spent, model: Model): Gate {
  return checkGates(options, spent, model, () => priceOf(engine, model, { output: 1_000_000 }));
}

function priceOf({ models }: EngineParts, model: Model, usage: Partial<Usage>): number {
  return models.cost(model, { ...noUsage, ...usage }).usd;
}
