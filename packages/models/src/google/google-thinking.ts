/** How a wish for thinking is told to Google: as a level since its third generation, as a number of tokens before. */
import type { Effort, Model, ModelRequest, ReasoningWish } from "@kedge/protocol";

export type ThinkingConfig = {
  readonly includeThoughts?: true;
  readonly thinkingBudget?: number;
  readonly thinkingLevel?: "MINIMAL" | "LOW" | "MEDIUM" | "HIGH";
};

/** The largest is what the models with the lowest limit still take. */
const budgetTokens: { readonly [Level in Exclude<Effort, "off">]: number } = {
  minimal: 512,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  max: 24_576,
};

const levels: { readonly [Level in Effort]: NonNullable<ThinkingConfig["thinkingLevel"]> } = {
  off: "MINIMAL",
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  max: "HIGH",
};

/** The larger models cannot be told not to think; this is the least they accept. */
const budgetTokensMin = 128;

/** Undefined where the request leaves it to the model, or the model has no such setting. */
export function thinkingConfigOf({ model, reasoning, outputTokensMax }: ModelRequest): ThinkingConfig | undefined {
  if (reasoning === undefined) return undefined;
  const shown: ThinkingConfig = isThinkingAskedFor(reasoning) ? { includeThoughts: true } : {};
  switch (model.capabilities?.reasoning) {
    case undefined:
    case "none":
      return undefined;
    case "budget":
      return { ...shown, ...budgetOf(reasoning, model, outputTokensMax) };
    case "effort":
    case "adaptive":
      return { ...shown, ...levelOf(reasoning, model) };
  }
}

function isThinkingAskedFor({ effort, tokensMax }: ReasoningWish): boolean {
  return tokensMax === 0 || effort === "off" ? false : tokensMax !== undefined || effort !== undefined;
}

function budgetOf(wish: ReasoningWish, model: Model, outputTokensMax: number): ThinkingConfig {
  if (!isThinkingAskedFor(wish)) return { thinkingBudget: isLarge(model) ? budgetTokensMin : 0 };
  const { effort, tokensMax } = wish;
  const wanted = tokensMax ?? (effort === undefined || effort === "off" ? undefined : budgetTokens[effort]);
  // Thoughts are paid from the limit of the answer, and something must be left of it.
  return wanted === undefined
    ? {}
    : { thinkingBudget: Math.max(budgetTokensMin, Math.min(wanted, outputTokensMax - 1)) };
}

/** A number of tokens is no level: such a model decides by itself how much it thinks. */
function levelOf(wish: ReasoningWish, model: Model): ThinkingConfig {
  const effort = wish.tokensMax === 0 ? "off" : wish.effort;
  if (effort === undefined) return {};
  const level = levels[effort];
  return { thinkingLevel: level === "MINIMAL" && isLarge(model) ? "LOW" : level };
}

function isLarge({ id }: Model): boolean {
  return /-pro\b/.test(id);
}
