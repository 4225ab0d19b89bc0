import { expect, test } from "vitest";
import { modelsText } from "./models-text.ts";

const model = {
  ref: "anthropic/claude-haiku-4-5",
  provider: "anthropic",
  id: "claude-haiku-4-5",
  name: "Claude Haiku 4.5",
  contextTokens: 200_000,
  outputTokensMax: 64_000,
  prices: { input: 1, output: 5, cacheRead: 0.1 },
  capabilities: {
    tools: true,
    reasoning: "budget",
    images: true,
    documents: false,
    mediaInToolResults: true,
    temperature: true,
    cacheMarks: true,
    webSearch: false,
  },
  released: "2025-10-15",
} as const;
const anthropic = { id: "anthropic", name: "Anthropic", api: "anthropic", tested: true, models: [model] } as const;
const unknown = {
  ref: "far/x\u001b[31m",
  provider: "far",
  id: "x",
  contextTokens: 32_000,
  outputTokensMax: 4_096,
  assumed: true,
} as const;
const missing = {
  code: "invalid_api_key",
  message: "No key.",
  recovery: "Set FAR_API_KEY.",
  retryable: false,
} as const;
const far = { id: "far", name: "Far", api: "openai-chat", tested: false, missing, models: [unknown] } as const;

test("usable models with their sizes and prices", () => {
  expect(modelsText([anthropic], { verbose: false })).toBe(
    [
      "model                       name              context  output  $ in  $ out",
      "anthropic/claude-haiku-4-5  Claude Haiku 4.5  200,000  64,000     1      5",
      "",
      "Prices in US dollars per million tokens. ~ marks assumed sizes.",
      "",
    ].join("\n"),
  );
});

test("with everything that is known, what is assumed, untested and missing", () => {
  expect(modelsText([anthropic, far], { verbose: true }).split("\n").slice(0, 3)).toEqual([
    "model                       name              context  output  $ in  $ out  $ cached  can                    released    status  wire         tested    needs",
    "anthropic/claude-haiku-4-5  Claude Haiku 4.5  200,000  64,000     1      5       0.1  tools thinking images  2025-10-15          anthropic    tested",
    "far/x                                         ~32,000  ~4,096     ?      ?         ?                                             openai-chat  untested  Set FAR_API_KEY.",
  ]);
});

test("nothing without a model", () => {
  expect(modelsText([{ ...far, models: [] }], { verbose: false })).toBe("");
});
