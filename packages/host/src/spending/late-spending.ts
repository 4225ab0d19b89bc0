/** Spending limits, loaded with the first model that is looked for; nothing where no day and no month is limited. */
import type { Models, SpendingBudget } from "@kedge/protocol";
import type { Spending, SpendingParts } from "./open-spending.ts";
import type { SpendingLimits } from "./spending-settings.ts";

export type LateSpending = {
  readonly limit: Spending["limit"];
  readonly budgets: () => Promise<readonly SpendingBudget[]>;
};

export function lateSpending(
  parts: Omit<SpendingParts, "limits"> & { readonly limits: SpendingLimits | undefined },
): LateSpending | undefined {
  const { limits } = parts;
  if (limits?.day === undefined && limits?.month === undefined) return undefined;
  let opening: Promise<Spending> | undefined;
  const open = () => {
    opening ??= import("./open-spending.ts").then(({ openSpending }) => openSpending({ ...parts, limits }));
    return opening;
  };
  return {
    budgets: async () => (await open()).budgets(),
    limit(models) {
      let limited: Models | undefined;
      return {
        cost: (model, usage) => models.cost(model, usage),
        async find(ref, beside) {
          limited ??= (await open()).limit(models);
          return limited.find(ref, beside);
        },
      };
    },
  };
}
