/** Proves how a wish for thinking is written for each kind of model. */
import type { ModelCapabilities, ModelRequest, ReasoningControl, ReasoningWish } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { thinkingMembers } from "./anthropic-thinking.ts";

const able: Omit<ModelCapabilities, "reasoning"> = {
  tools: true,
  images: true,
  documents: true,
  mediaInToolResults: true,
  temperature: true,
  cacheMarks: true,
  webSearch: true,
};

type Case = {
  readonly control: ReasoningControl | undefined;
  readonly wish?: ReasoningWish;
  readonly outputTokensMax?: number;
  readonly temperature?: number;
};

function membersOf({ control, wish, outputTokensMax = 64_000, temperature }: Case): object {
  const request: ModelRequest = {
    model: {
      ref: "m/a",
      provider: "m",
      id: "a",
      contextTokens: 200_000,
      outputTokensMax: 64_000,
      ...(control !== undefined && { capabilities: { ...able, reasoning: control } }),
      ...(temperature !== undefined && { temperature }),
    },
    source: "main",
    conversationId: "ses_1",
    system: "",
    tools: [],
    messages: [],
    ...(wish !== undefined && { reasoning: wish }),
    outputTokensMax,
    requestId: "r",
  };
  return thinkingMembers(request);
}

const budget = (tokens: number) => ({ thinking: { type: "enabled", budget_tokens: tokens } });
const adaptive = { thinking: { type: "adaptive", display: "summarized" } };
const effort = (level: string) => ({ output_config: { effort: level } });

describe("anthropic thinking", () => {
  test.each<[string, Case, object]>([
    ["a model nobody described", { control: undefined, wish: { effort: "high" } }, {}],
    ["a model that cannot think", { control: "none", wish: { effort: "high" } }, {}],
    ["no wish, by budget", { control: "budget" }, {}],
    ["a wish that says nothing, by budget", { control: "budget", wish: {} }, {}],
    ["off, by budget", { control: "budget", wish: { effort: "off" } }, {}],
    ["no tokens, by budget", { control: "budget", wish: { effort: "high", tokensMax: 0 } }, {}],
    ["minimal, by budget", { control: "budget", wish: { effort: "minimal" } }, budget(1_024)],
    ["medium, by budget", { control: "budget", wish: { effort: "medium" } }, budget(10_000)],
    ["max, by budget", { control: "budget", wish: { effort: "max" } }, budget(32_000)],
    ["tokens, by budget", { control: "budget", wish: { tokensMax: 5_000 } }, budget(5_000)],
    ["a level and fewer tokens", { control: "budget", wish: { effort: "high", tokensMax: 5_000 } }, budget(5_000)],
    ["a level and more tokens", { control: "budget", wish: { effort: "low", tokensMax: 50_000 } }, budget(4_000)],
    ["fewer tokens than allowed", { control: "budget", wish: { tokensMax: 10 } }, budget(1_024)],
    ["a short answer", { control: "budget", wish: { effort: "max" }, outputTokensMax: 8_000 }, budget(8_000 - 4_096)],
    ["a shorter answer", { control: "budget", wish: { effort: "max" }, outputTokensMax: 1_025 }, budget(1_024)],
    ["too short an answer", { control: "budget", wish: { effort: "max" }, outputTokensMax: 1_024 }, {}],
    ["no wish, adaptive", { control: "adaptive" }, {}],
    ["a wish that says nothing, adaptive", { control: "adaptive", wish: {} }, adaptive],
    ["minimal, adaptive", { control: "adaptive", wish: { effort: "minimal" } }, { ...adaptive, ...effort("low") }],
    ["high, adaptive", { control: "adaptive", wish: { effort: "high" } }, { ...adaptive, ...effort("high") }],
    ["max, adaptive", { control: "adaptive", wish: { effort: "max" } }, { ...adaptive, ...effort("max") }],
    ["off, adaptive", { control: "adaptive", wish: { effort: "off" } }, effort("low")],
    ["no tokens, adaptive", { control: "adaptive", wish: { tokensMax: 0 } }, effort("low")],
    ["medium, by level", { control: "effort", wish: { effort: "medium" } }, effort("medium")],
    ["off, by level", { control: "effort", wish: { effort: "off" } }, effort("low")],
  ])("%s", (_name, wanted, members) => {
    expect(membersOf(wanted)).toEqual(members);
  });

  test("a temperature is sent only when the model is not told to think", () => {
    const temperature = 0.5;
    expect(membersOf({ control: undefined, temperature })).toEqual({ temperature });
    expect(membersOf({ control: "budget", wish: { effort: "off" }, temperature })).toEqual({ temperature });
    expect(membersOf({ control: "budget", wish: { effort: "low" }, temperature })).toEqual(budget(4_000));
    expect(membersOf({ control: "adaptive", wish: {}, temperature })).toEqual(adaptive);
    expect(membersOf({ control: "effort", wish: { effort: "low" }, temperature })).toEqual(effort("low"));
    expect(membersOf({ control: "effort", wish: { effort: "off" }, temperature })).toEqual({
      ...effort("low"),
      temperature,
    });
  });
});
