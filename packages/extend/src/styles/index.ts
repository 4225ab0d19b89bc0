/** How the model writes: output styles, brevity, and the check of texts that were made shorter. */

export { type BrevityLevel, brevityLevel, brevityLevels, brevityStyle } from "./brevity.ts";
export { type CompressionLoss, compareCompressed } from "./compare-compressed.ts";
export { styleText } from "./output-style.ts";
