/** The counters and histograms of telemetry: their names, units and what they count. */

type Counter = {
  readonly unit: string;
  readonly description: string;
  /** Counts things, not amounts of money. */
  readonly isWhole: boolean;
};

type Histogram = { readonly unit: string; readonly description: string; readonly boundaries: readonly number[] };

export const counters = {
  "kedge.cost.usd": { unit: "USD", description: "Cost of model calls.", isWhole: false },
  "kedge.tokens": { unit: "{token}", description: "Tokens of model calls.", isWhole: true },
  "kedge.tool.calls": { unit: "{call}", description: "Tool calls.", isWhole: true },
  "kedge.permission.decisions": {
    unit: "{decision}",
    description: "Permission decisions on tool calls.",
    isWhole: true,
  },
  "kedge.lines": { unit: "{line}", description: "Lines added and removed by edits.", isWhole: true },
  "kedge.retries": { unit: "{retry}", description: "Failed attempts at model calls.", isWhole: true },
} as const satisfies { readonly [name: string]: Counter };

/** As the conventions for generative AI have them. */
const callSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const callTokens = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/** A turn with its commands, or a command alone, may take an hour. */
const workSeconds = [...callSeconds, 163.84, 327.68, 655.36, 1_310.72, 2_621.44];

export const histograms = {
  "kedge.api.duration": {
    unit: "s",
    description: "Duration of model calls, including retries.",
    boundaries: callSeconds,
  },
  "kedge.tool.duration": { unit: "s", description: "Duration of tool calls.", boundaries: workSeconds },
  "kedge.turn.duration": {
    unit: "s",
    description: "Duration of turns: a model call and its tool calls.",
    boundaries: workSeconds,
  },
  "gen_ai.client.operation.duration": {
    unit: "s",
    description: "GenAI operation duration.",
    boundaries: callSeconds,
  },
  "gen_ai.client.token.usage": {
    unit: "{token}",
    description: "Number of input and output tokens used.",
    boundaries: callTokens,
  },
} as const satisfies { readonly [name: string]: Histogram };

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
