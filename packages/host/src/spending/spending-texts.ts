/** What people read about spending limits. */
import { type Failure, type Model, reasonOf, type SpendingBudget } from "@kedge/protocol";

const limitNames = { session: "session", day: "daily", month: "monthly" } as const;

export function overspent({ window, usd, usdMax, resetsAt }: SpendingBudget): Failure {
  const resets = resetsAt === undefined ? "" : ` or wait until ${localTime(resetsAt)}`;
  const passed =
    usd > usdMax ? " The cost of a request is known only afterwards, so the last one can exceed the limit." : "";
  return {
    code: "budget_exceeded",
    message: `The ${limitNames[window]} spending limit is reached: ${money(usd)} of ${money(usdMax)}.${passed}`,
    recovery: `Raise budget.${window}${resets}.`,
    retryable: false,
    ...(resetsAt !== undefined && { resetAtMs: resetsAt }),
  };
}

export function nearlySpent({ window, usd, usdMax }: SpendingBudget): string {
  const percent = Math.floor((100 * usd) / usdMax);
  return `${percent}% of the ${limitNames[window]} spending limit used: ${money(usd)} of ${money(usdMax)}.`;
}

export function unpriced({ ref, provider, id }: Model): string {
  return `Spending limits don't cover ${ref}: its price is unknown. Set provider.${provider}.models."${id}".cost.`;
}

export function ledgerUnreadable(error: unknown): Failure {
  return {
    code: "storage",
    message: `The spending limits can't be checked: the record of earlier spending can't be read (${reasonOf(error)}).`,
    recovery: "Fix the files in data/spending in the kedge directory, or remove the limits from budget.",
    retryable: false,
  };
}

function money(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

function localTime(time: number): string {
  const day = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  const date = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  return `${date} ${two(day.getHours())}:${two(day.getMinutes())}`;
}
