import { expect, test } from "vitest";
import { defaultCompaction } from "./settings.ts";
import { thresholdsFor } from "./thresholds.ts";

const large = { contextTokens: 200_000, outputTokensMax: 64_000 };

test.each([
  ["a large window", large, {}, {}, { overflowAt: 180_000, compactAt: 167_000 }],
  ["a million", { ...large, contextTokens: 1_000_000 }, {}, {}, { overflowAt: 980_000, compactAt: 967_000 }],
  [
    "a short answer: the reserve counts",
    { ...large, outputTokensMax: 8_192 },
    {},
    {},
    { overflowAt: 183_616, compactAt: 170_616 },
  ],
  [
    "no reserve",
    { ...large, outputTokensMax: 8_192 },
    { reserveTokens: 0 },
    {},
    { overflowAt: 191_808, compactAt: 178_808 },
  ],
  ["a larger reserve", large, { reserveTokens: 50_000 }, {}, { overflowAt: 150_000, compactAt: 137_000 }],
  ["50,000 is not small", { ...large, contextTokens: 50_000 }, {}, {}, { overflowAt: 30_000, compactAt: 17_000 }],
  [
    "a small window",
    { contextTokens: 32_000, outputTokensMax: 8_000 },
    {},
    {},
    { overflowAt: 28_000, compactAt: 24_000 },
  ],
  ["a tiny window", { contextTokens: 8_192, outputTokensMax: 4_096 }, {}, {}, { overflowAt: 7_168, compactAt: 6_144 }],
  [
    "tokens of the user",
    large,
    { thresholdTokens: 90_000, thresholdPercent: 10 },
    {},
    { overflowAt: 180_000, compactAt: 90_000 },
  ],
  ["percent of the user", large, { thresholdPercent: 80 }, {}, { overflowAt: 180_000, compactAt: 160_000 }],
  [
    "never above what may be sent",
    large,
    { thresholdTokens: 500_000 },
    {},
    { overflowAt: 180_000, compactAt: 180_000 },
  ],
  [
    "neither counts at 0",
    large,
    { thresholdTokens: 0, thresholdPercent: 0 },
    {},
    { overflowAt: 180_000, compactAt: 167_000 },
  ],
  [
    "a test's percent before all",
    large,
    { thresholdTokens: 90_000 },
    { percent: 5 },
    { overflowAt: 180_000, compactAt: 10_000 },
  ],
])("%s", (_, model, settings, options, thresholds) => {
  expect(thresholdsFor(model, { ...defaultCompaction, ...settings }, options)).toEqual(thresholds);
});
