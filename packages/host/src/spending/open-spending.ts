/** Holds model calls to what may be spent per day and month: refuses before a call, counts after it. */
import type { Model, ModelEvent, Models, Provider, SpendingBudget, Usage } from "@kedge/protocol";
import { noUsage } from "@kedge/protocol";
import { openSpendingLedger } from "./spending-ledger.ts";
import type { SpendingLimits } from "./spending-settings.ts";
import { ledgerUnreadable, nearlySpent, overspent, unpriced } from "./spending-texts.ts";
import { dayWindow, monthWindow, type SpendingWindow } from "./spending-windows.ts";

export type SpendingParts = {
  readonly limits: SpendingLimits;
  readonly directory: string;
  readonly now: () => number;
};

export interface Spending {
  /** The same models, whose calls are refused once a limit is reached. */
  limit(models: Models): Models;
  /** What was spent in each limited window. Throws where the ledger cannot be read. */
  budgets(): readonly SpendingBudget[];
}

const warningShare = 0.8;

export function openSpending({ limits, directory, now }: SpendingParts): Spending {
  const ledger = openSpendingLedger(directory);
  /** Windows whose warning was given, by name and first day. */
  const warned = new Set<string>();
  const unpricedModels = new Set<string>();
  let underWay = 0;
  /** Of this process, for what a request under way will probably cost. */
  let paid = { usd: 0, requests: 0 };

  function windows(): readonly { readonly window: SpendingWindow; readonly usdMax: number }[] {
    const time = now();
    return [
      ...(limits.day === undefined ? [] : [{ window: dayWindow(time), usdMax: limits.day }]),
      ...(limits.month === undefined ? [] : [{ window: monthWindow(time, limits.monthStart), usdMax: limits.month }]),
    ];
  }

  function budgets(): readonly SpendingBudget[] {
    return windows().map(({ window, usdMax }) => {
      return { window: window.name, usdMax, usd: ledger.since(window.from), resetsAt: window.resetsAt };
    });
  }

  /** What may be said and done before a call; several at once do not all spend the same rest. */
  function before(model: Model, cost: Models["cost"]): readonly ModelEvent[] {
    let open: readonly SpendingBudget[];
    try {
      open = budgets();
    } catch (error) {
      return [{ type: "failed", failure: ledgerUnreadable(error) }];
    }
    const held = paid.requests === 0 ? 0 : (underWay * paid.usd) / paid.requests;
    const spent = open.find(({ usd, usdMax }) => usd + held >= usdMax);
    if (spent !== undefined) return [{ type: "failed", failure: overspent(spent) }];
    const near = open.filter(({ usd, usdMax }) => usd >= usdMax * warningShare);
    const isUnpriced = !unpricedModels.has(model.ref) && cost(model, { ...noUsage, output: 1 }).estimated;
    if (isUnpriced) unpricedModels.add(model.ref);
    const texts = [...near.filter(isNews).map(nearlySpent), ...(isUnpriced ? [unpriced(model)] : [])];
    return texts.map((text) => ({ type: "notice", text }));
  }

  function isNews({ window, resetsAt }: SpendingBudget): boolean {
    const key = `${window} ${resetsAt}`;
    const isNew = !warned.has(key);
    warned.add(key);
    return isNew;
  }

  function count(model: Model, usage: Usage, cost: Models["cost"]): void {
    const { usd } = cost(model, usage);
    if (usd <= 0) return;
    paid = { usd: paid.usd + usd, requests: paid.requests + 1 };
    const time = now();
    if (paid.requests === 1) ledger.forgetBefore(monthWindow(time, limits.monthStart).from);
    ledger.add(dayWindow(time).from, { usd, model: model.ref });
  }

  function limited(provider: Provider, cost: Models["cost"]): Provider {
    const { compact } = provider;
    return {
      async *stream(request, signal) {
        const said = before(request.model, cost);
        // Counted before anything is awaited, so that the next request sees it.
        underWay += 1;
        try {
          yield* said;
          if (said.some(({ type }) => type === "failed")) return;
          for await (const event of provider.stream(request, signal)) {
            if (event.type === "end") count(request.model, event.usage, cost);
            yield event;
          }
        } finally {
          underWay -= 1;
        }
      },
      ...(compact !== undefined && {
        async compact(request, signal) {
          const failed = before(request.model, cost).find((event) => event.type === "failed");
          if (failed !== undefined) return { ok: false, failure: failed.failure };
          const compacted = await compact.call(provider, request, signal);
          if (compacted?.ok === true) count(request.model, compacted.usage, cost);
          return compacted;
        },
      }),
    };
  }

  return {
    budgets,
    limit(models) {
      const cost: Models["cost"] = (model, usage) => models.cost(model, usage);
      const known = new WeakMap<Provider, Provider>();
      return {
        ...models,
        cost,
        async find(ref, beside) {
          const found = await models.find(ref, beside);
          if (!found.ok) return found;
          const provider = known.get(found.provider) ?? limited(found.provider, cost);
          known.set(found.provider, provider);
          return { ...found, provider };
        },
      };
    },
  };
}
