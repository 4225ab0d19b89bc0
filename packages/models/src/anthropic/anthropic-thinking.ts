/** How a model on the Messages wire is told to think, and how warm it answers when it does not. */
import type { Effort, ModelRequest, ReasoningWish } from "@kedge/protocol";

type ThinkingEffort = Exclude<Effort, "off">;

/** The vendor's name for each level; it knows none below `low`. */
const vendorEfforts: { readonly [effort in ThinkingEffort]: string } = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  max: "max",
};

/** Tokens for each level where the vendor wants a number. */
const effortTokens: { readonly [effort in ThinkingEffort]: number } = {
  minimal: 1_024,
  low: 4_000,
  medium: 10_000,
  high: 20_000,
  max: 32_000,
};

/** The least that the vendor accepts. */
const thinkingTokensMin = 1_024;

/** Thinking is paid from the same limit as the answer, so some of it is kept for the latter. */
const answerTokensMin = 4_096;

/** The members of a request; none when the model is left to itself. */
export function thinkingMembers(request: ModelRequest): object {
  const { model, reasoning = {} } = request;
  const thinking = askedThinking(request);
  const asked = effortOf(reasoning) !== "off" && Object.keys(thinking).length > 0;
  if (asked || model.temperature === undefined || model.capabilities?.temperature === false) return thinking;
  return { ...thinking, temperature: model.temperature };
}

/** How many tokens a model that is told a number may think with; undefined when it is told none. */
export function thinkingBudget({ model, reasoning = {}, outputTokensMax }: ModelRequest): number | undefined {
  const effort = effortOf(reasoning);
  if (model.capabilities?.reasoning !== "budget" || effort === "off") return undefined;
  const wanted = Math.min(effort === undefined ? Infinity : effortTokens[effort], reasoning.tokensMax ?? Infinity);
  if (wanted === Infinity) return undefined;
  // The vendor demands less than the limit of the answer; where that is too little to think, there is no thinking.
  const tokens = Math.max(thinkingTokensMin, Math.min(wanted, outputTokensMax - answerTokensMin));
  return tokens < outputTokensMax ? tokens : undefined;
}

function askedThinking(request: ModelRequest): object {
  const { model, reasoning } = request;
  if (reasoning === undefined) return {};
  const effort = effortOf(reasoning);
  switch (model.capabilities?.reasoning) {
    case undefined:
    case "none":
      return {};
    case "effort":
      return effortMember(effort);
    case "adaptive":
      // To switch it off is an error for some of these models. For all of them the lowest level comes closest.
      return effort === "off"
        ? effortMember(effort)
        : { thinking: { type: "adaptive", display: "summarized" }, ...effortMember(effort) };
    case "budget": {
      const tokens = thinkingBudget(request);
      return tokens === undefined ? {} : { thinking: { type: "enabled", budget_tokens: tokens } };
    }
  }
}

function effortOf({ effort, tokensMax }: ReasoningWish): Effort | undefined {
  return tokensMax === 0 ? "off" : effort;
}

function effortMember(effort: Effort | undefined): object {
  if (effort === undefined) return {};
  return { output_config: { effort: effort === "off" ? vendorEfforts.minimal : vendorEfforts[effort] } };
}
