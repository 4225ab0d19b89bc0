/** What a review will probably cost: by what such agents cost in this session, or by the size of the change. */
import type { Prices, SessionState } from "@kedge/protocol";

/** An agent reads the change and the code around it over several turns. */
const turnsOfAgent = 7;
const charactersPerToken = 4;
const perMillion = 1_000_000;

export type EstimatedReview = {
  readonly agents: number;
  readonly diffCharacters: number;
  /** Undefined where no price is known. */
  readonly prices: Prices | undefined;
};

/** Undefined where nothing is known to go by. */
export function estimateUsd(
  { agents: ended, cost, turns }: Pick<SessionState, "agents" | "cost" | "turns">,
  { agents, diffCharacters, prices }: EstimatedReview,
): number | undefined {
  const like = [...ended.values()].flatMap(({ agent, end }) =>
    end !== undefined && (agent === "reviewer" || agent === "fp-filter") ? [end.cost.usd] : [],
  );
  if (like.length > 0) return (agents * like.reduce((sum, usd) => sum + usd, 0)) / like.length;
  if (prices !== undefined)
    return (agents * turnsOfAgent * (diffCharacters / charactersPerToken) * prices.input) / perMillion;
  if (turns > 0 && !cost.estimated) return (agents * turnsOfAgent * cost.usd) / turns;
  return undefined;
}
