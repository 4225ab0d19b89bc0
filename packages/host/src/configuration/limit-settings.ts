/** The settings about limits: what ends a run, and what a message of the user interrupts. */
import { isJsonObject, type RunOptions } from "@kedge/protocol";
import { amount, object, oneOf, said, wholeNumber } from "./checks.ts";
import { allowed, type SettingDeclarations } from "./setting-declaration.ts";

export const interruptModeDefault = "immediate";
export const steeringModeDefault = "all";
export const followUpModeDefault = "one-at-a-time";

const queueModes = oneOf(["one-at-a-time", "all"]);

export const limitSettings: SettingDeclarations = {
  limits: {
    check: object({
      maxTurns: said("Maximum number of model calls per run.", wholeNumber),
      maxBudgetUsd: said("Maximum cost of a run in US dollars.", amount),
      maxTokens: said("Maximum number of tokens per run.", wholeNumber),
      maxSteps: said("Maximum number of steps; the last one summarizes without tools.", wholeNumber),
    }),
    project: { kind: "tightens", rule: "may only lower them", tighten: lowerLimits },
    counts: "at start",
  },
  interruptMode: {
    check: said(
      "When your message ends a wait for background jobs.",
      oneOf(["immediate", "boundary"]),
      interruptModeDefault,
    ),
    project: allowed,
    counts: "at start",
  },
  steeringMode: {
    check: said("How many of your messages the model reads at its next step.", queueModes, steeringModeDefault),
    project: allowed,
    counts: "at start",
  },
  followUpMode: {
    check: said("How many queued prompts the next run takes.", queueModes, followUpModeDefault),
    project: allowed,
    counts: "at start",
  },
};

function lowerLimits(value: unknown, soFar: unknown): { kept: unknown; ignored?: string } {
  if (!isJsonObject(value)) return { kept: undefined, ignored: "a project may only lower limits" };
  const before = isJsonObject(soFar) ? soFar : {};
  const kept: Record<string, unknown> = {};
  const raised: string[] = [];
  for (const [name, limit] of Object.entries(value)) {
    const current = before[name];
    if (typeof limit === "number" && (typeof current !== "number" || limit <= current)) kept[name] = limit;
    else raised.push(name);
  }
  return raised.length === 0
    ? { kept }
    : { kept, ignored: `a project may only lower limits, and raises ${raised.join(", ")}` };
}

type LimitSettings = {
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly maxTokens?: number;
  readonly maxSteps?: number;
};

/** Every value was checked when its file was read. */
export function readLimits(value: unknown): RunOptions {
  const { maxTurns, maxBudgetUsd, maxTokens, maxSteps } = (value ?? {}) as LimitSettings;
  return {
    ...(maxTurns !== undefined && { turnsMax: maxTurns }),
    ...(maxBudgetUsd !== undefined && { budgetUsdMax: maxBudgetUsd }),
    ...(maxTokens !== undefined && { tokensMax: maxTokens }),
    ...(maxSteps !== undefined && { stepsMax: maxSteps }),
  };
}
