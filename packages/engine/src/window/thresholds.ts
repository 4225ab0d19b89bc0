/** From how many tokens on a conversation is shortened, and from how many on it is no longer sent. */
import type { Model } from "@kedge/protocol";
import type { CompactionSettings } from "./settings.ts";

export type Thresholds = {
  /** A request of this size or more is not sent. */
  readonly overflowAt: number;
  /** Never above the other. */
  readonly compactAt: number;
};

export type ThresholdOptions = {
  /** Percent of the window, before any setting: for tests that must not fill a whole one. */
  readonly percent?: number;
};

/** Room for a summary, however much a model could answer. */
const answerTokensMax = 20_000;

/** What may come between two looks at the size. */
const bufferTokens = 13_000;

/** In a window below this the room that large models need would be most of it, and shares of it count instead. */
const smallWindowTokens = 50_000;
const smallWindowCompactShare = 0.75;
const smallWindowOverflowShare = 0.875;

export function thresholdsFor(
  { contextTokens, outputTokensMax }: Pick<Model, "contextTokens" | "outputTokensMax">,
  settings: Pick<CompactionSettings, "reserveTokens" | "thresholdPercent" | "thresholdTokens">,
  { percent = 0 }: ThresholdOptions = {},
): Thresholds {
  const reserve = Math.max(Math.min(answerTokensMax, outputTokensMax), settings.reserveTokens);
  const isSmall = contextTokens < smallWindowTokens;
  const overflowAt = atLeast(contextTokens - reserve, isSmall ? contextTokens * smallWindowOverflowShare : 1);
  const ordinary = atLeast(
    contextTokens - reserve - bufferTokens,
    isSmall ? contextTokens * smallWindowCompactShare : 1,
  );
  const chosen = chosenThreshold(contextTokens, settings, percent);
  return { overflowAt, compactAt: Math.min(chosen ?? ordinary, overflowAt) };
}

function chosenThreshold(
  contextTokens: number,
  { thresholdPercent, thresholdTokens }: Pick<CompactionSettings, "thresholdPercent" | "thresholdTokens">,
  percent: number,
): number | undefined {
  if (percent > 0) return shareOf(contextTokens, percent);
  if (thresholdTokens > 0) return thresholdTokens;
  return thresholdPercent > 0 ? shareOf(contextTokens, thresholdPercent) : undefined;
}

function shareOf(contextTokens: number, percent: number): number {
  return Math.floor((contextTokens * percent) / 100);
}

function atLeast(tokens: number, least: number): number {
  return Math.max(tokens, Math.floor(least));
}
