/** How the model writes: output styles, brevity, and the check of texts that were made shorter. */

export { brevityLevel, brevityLevels, brevityStyle } from "./brevity.ts";
export { compareCompressed } from "./compare-compressed.ts";
export { styleText } from "./output-style.ts";
