/** Proves how the wish to think reaches Google, and when a temperature does. */
import type { Model, ModelCapabilities, ModelRequest, ReasoningControl, ReasoningWish } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createGoogleEncoding } from "./google-request.ts";

const capabilities: Omit<ModelCapabilities, "reasoning"> = {
  tools: true,
  images: true,
  documents: true,
  mediaInToolResults: true,
  temperature: true,
  cacheMarks: false,
  webSearch: false,
};

type Asked = {
  readonly control?: ReasoningControl;
  readonly reasoning?: ReasoningWish;
  readonly id?: string;
  readonly outputTokensMax?: number;
  readonly takesTemperature?: boolean;
};

function configOf({
  control,
  reasoning,
  id = "gemini-flash",
  outputTokensMax = 64_000,
  takesTemperature = true,
}: Asked) {
  const model: Model = {
    ref: `google/${id}`,
    provider: "google",
    id,
    contextTokens: 1_000_000,
    outputTokensMax: 64_000,
    temperature: 1,
    ...(control === undefined
      ? {}
      : { capabilities: { ...capabilities, reasoning: control, temperature: takesTemperature } }),
  };
  const request: ModelRequest = {
    model,
    source: "main",
    conversationId: "ses_1",
    system: "",
    tools: [],
    messages: [],
    outputTokensMax,
    requestId: "r",
    ...(reasoning === undefined ? {} : { reasoning }),
  };
  const closing = createGoogleEncoding((first) => [first]).closing(request);
  const { maxOutputTokens, ...rest } = JSON.parse(`{"contents":[${closing}`).generationConfig;
  expect(maxOutputTokens).toBe(outputTokensMax);
  return rest;
}

const thinks = (thinkingConfig: object) => ({ thinkingConfig: { includeThoughts: true, ...thinkingConfig } });

test.each<[Asked, object]>([
  [{ control: "budget", reasoning: { effort: "minimal" } }, thinks({ thinkingBudget: 512 })],
  [{ control: "budget", reasoning: { effort: "max" } }, thinks({ thinkingBudget: 24_576 })],
  [{ control: "budget", reasoning: { tokensMax: 3_000, effort: "low" } }, thinks({ thinkingBudget: 3_000 })],
  [{ control: "budget", reasoning: { tokensMax: 9_000 }, outputTokensMax: 4_000 }, thinks({ thinkingBudget: 3_999 })],
  [
    { control: "budget", reasoning: { tokensMax: 0 } },
    { temperature: 1, thinkingConfig: { thinkingBudget: 0 } },
  ],
  [
    { control: "budget", reasoning: { effort: "off" }, id: "gemini-2.5-pro" },
    { temperature: 1, thinkingConfig: { thinkingBudget: 128 } },
  ],
  [{ control: "effort", reasoning: { effort: "low" } }, thinks({ thinkingLevel: "LOW" })],
  [{ control: "effort", reasoning: { effort: "max" } }, thinks({ thinkingLevel: "HIGH" })],
  [{ control: "effort", reasoning: { effort: "minimal" } }, thinks({ thinkingLevel: "MINIMAL" })],
  [
    { control: "effort", reasoning: { effort: "minimal" }, id: "gemini-3.1-pro-preview" },
    thinks({ thinkingLevel: "LOW" }),
  ],
  [{ control: "effort", reasoning: { tokensMax: 2_000 } }, thinks({})],
  [
    { control: "effort", reasoning: { tokensMax: 0, effort: "high" } },
    { temperature: 1, thinkingConfig: { thinkingLevel: "MINIMAL" } },
  ],
  [{ control: "none", reasoning: { effort: "high" } }, { temperature: 1 }],
  [{ control: "effort" }, { temperature: 1 }],
  [{ control: "effort", takesTemperature: false }, {}],
  [{}, { temperature: 1 }],
])("%j becomes %j", (asked, expected) => {
  expect(configOf(asked)).toEqual(expected);
});
