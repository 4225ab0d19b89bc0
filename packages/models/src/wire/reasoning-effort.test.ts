import type { Effort, ModelCapabilities, ModelRequest } from "@kedge/protocol";
import { efforts } from "@kedge/protocol";
import { expect, test } from "vitest";
import { effortWordOf, temperatureOf } from "./reasoning-effort.ts";

function requestOf(
  id: string,
  reasoning: ModelRequest["reasoning"],
  changes: Partial<ModelCapabilities> = {},
): ModelRequest {
  const capabilities: ModelCapabilities = {
    tools: true,
    reasoning: "effort",
    images: false,
    documents: false,
    mediaInToolResults: false,
    temperature: true,
    cacheMarks: false,
    webSearch: false,
    ...changes,
  };
  return {
    model: { ref: `m/${id}`, provider: "m", id, contextTokens: 1, outputTokensMax: 1, temperature: 0.5, capabilities },
    source: "main",
    conversationId: "ses_1",
    system: "",
    tools: [],
    messages: [],
    outputTokensMax: 100,
    requestId: "r",
    ...(reasoning !== undefined && { reasoning }),
  };
}

test.each([
  ["o3-mini", ["low", "low", "low", "medium", "high", "high"]],
  ["gpt-5-mini", ["minimal", "minimal", "low", "medium", "high", "high"]],
  ["openai/gpt-5", ["minimal", "minimal", "low", "medium", "high", "high"]],
  ["gpt-5-pro", ["high", "high", "high", "high", "high", "high"]],
  ["gpt-5-codex", ["low", "low", "low", "medium", "high", "high"]],
  ["gpt-5.1", ["none", "low", "low", "medium", "high", "high"]],
  ["gpt-5.1-codex-max", ["low", "low", "low", "medium", "high", "xhigh"]],
  ["gpt-5.2", ["none", "low", "low", "medium", "high", "xhigh"]],
  ["gpt-5.2-codex", ["low", "low", "low", "medium", "high", "xhigh"]],
  ["grok-4-fast", [undefined, "low", "low", "medium", "high", "high"]],
])("%s is told %j", (id, words) => {
  expect(efforts.map((effort) => effortWordOf(requestOf(id, { effort })))).toEqual(words);
});

test("models without levels, and requests without a wish, are told nothing", () => {
  for (const reasoning of ["none", "budget"] as const)
    expect(effortWordOf(requestOf("gpt-5", { effort: "high" }, { reasoning }))).toBeUndefined();
  expect(effortWordOf(requestOf("gpt-5", undefined))).toBeUndefined();
  expect(effortWordOf(requestOf("gpt-5", { effort: "high", tokensMax: 0 }))).toBe("minimal");
});

test.each<[string, ModelRequest["reasoning"], number | undefined]>([
  ["no wish", undefined, 0.5],
  ["an empty wish", {}, 0.5],
  ["thinking off", { effort: "off" }, 0.5],
  ["no tokens for it", { effort: "high", tokensMax: 0 }, 0.5],
  ["a level", { effort: "minimal" satisfies Effort }, undefined],
  ["tokens for it", { tokensMax: 100 }, undefined],
])("with %s the temperature is as it should be", (_name, reasoning, temperature) => {
  expect(temperatureOf(requestOf("a", reasoning))).toBe(temperature);
  expect(temperatureOf(requestOf("a", reasoning, { temperature: false }))).toBeUndefined();
});
