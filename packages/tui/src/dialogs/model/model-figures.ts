/** What a model costs, holds and can do, in columns of the same width for all models of a list. */

import type { ListedModelSummary } from "@kedge/protocol";
import { countText } from "../../status/short-figures.ts";
import { modelTexts } from "../../texts/onboarding.ts";

export type ModelFigures = {
  /** Empty where nothing is known of the model. */
  of(model: ListedModelSummary): string;
  /** What the columns mean, in short; empty where there are none. */
  readonly legend: readonly string[];
};

const skills = ["hasTools", "hasReasoning", "hasVision"] as const;

const skillLetters: { readonly [Skill in (typeof skills)[number]]: string } = {
  hasTools: modelTexts.toolsLetter,
  hasReasoning: modelTexts.reasoningLetter,
  hasVision: modelTexts.visionLetter,
};

export function modelFigures(models: readonly ListedModelSummary[]): ModelFigures {
  const columns = [priceText, windowText, skillText];
  const widths = columns.map((textOf) => Math.max(0, ...models.map((model) => textOf(model).length)));
  const [priceWidth = 0, , skillWidth = 0] = widths;
  return {
    of(model) {
      const texts = columns.map((textOf, at) => textOf(model).padStart(widths[at] ?? 0));
      const line = texts.filter((text) => text !== "").join(" ");
      return line.trim() === "" ? "" : line;
    },
    legend: [
      ...(priceWidth > 0 ? [modelTexts.prices] : []),
      ...(skillWidth > 0 ? [modelTexts.tools, modelTexts.reasoning, modelTexts.vision] : []),
    ],
  };
}

function priceText({ inputUsdPerMillion: input, outputUsdPerMillion: output }: ListedModelSummary): string {
  if (input === undefined && output === undefined) return "";
  return input === 0 && output === 0 ? modelTexts.free : `${usdText(input)}/${usdText(output)}`;
}

/** Without the zeros that say nothing: prices are compared at a glance. */
function usdText(usd: number | undefined): string {
  return usd === undefined ? "?" : `$${Math.round(usd * 1_000) / 1_000}`;
}

function windowText({ contextTokens }: ListedModelSummary): string {
  return contextTokens === undefined ? "" : countText(contextTokens);
}

/** What it cannot do has a dash, what nobody stated a blank. */
function skillText(model: ListedModelSummary): string {
  if (skills.every((skill) => model[skill] === undefined)) return "";
  return skills.map((skill) => (model[skill] === undefined ? " " : model[skill] ? skillLetters[skill] : "-")).join("");
}
