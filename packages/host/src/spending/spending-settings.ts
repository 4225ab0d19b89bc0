/** The settings about spending limits: per session, per day and per month. */
import { amount, object, said, wholeNumberWithin } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type SpendingLimits = {
  /** US dollars. */
  readonly session?: number;
  readonly day?: number;
  readonly month?: number;
  /** The day of the month on which the monthly limit resets. */
  readonly monthStart: number;
};

/** Every month has this day. */
const monthStartMax = 28;
const monthStartDefault = 1;

export const spendingSettings: SettingDeclarations = {
  budget: {
    check: object({
      session: said("Maximum cost of a session and its agents in US dollars.", amount),
      day: said("Maximum cost per day in US dollars, across all sessions on this machine.", amount),
      month: said("Maximum cost per month in US dollars, across all sessions on this machine.", amount),
      monthStart: said(
        "Day of the month on which the monthly limit resets.",
        wholeNumberWithin({ min: 1, max: monthStartMax }),
        monthStartDefault,
      ),
    }),
    project: ignored("only you decide what you spend"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read; `null` removes what a weaker file set. Undefined without any limit. */
export function readSpendingLimits(value: unknown): SpendingLimits | undefined {
  const { session, day, month, monthStart } = (value ?? {}) as {
    readonly [name in keyof SpendingLimits]?: number | null;
  };
  if (typeof session !== "number" && typeof day !== "number" && typeof month !== "number") return undefined;
  return {
    ...(typeof session === "number" && { session }),
    ...(typeof day === "number" && { day }),
    ...(typeof month === "number" && { month }),
    monthStart: monthStart ?? monthStartDefault,
  };
}
