/** Proof of work, for commands of the terminal. */
export { checkProof } from "./bundle/check-proof.ts";
export { makeProof } from "./bundle/make-proof.ts";
export { readBundle } from "./bundle/proof-bundle.ts";
export { bundleText, checkedText } from "./bundle/proof-words.ts";
export { reproduce } from "./reproduce.ts";
export { reproductionText } from "./reproduction-words.ts";
