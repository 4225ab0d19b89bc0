/** Proof of work, for commands of the terminal. */
export { type CheckedLine, checkProof } from "./bundle/check-proof.ts";
export { makeProof } from "./bundle/make-proof.ts";
export { readBundle, type SignedBundle } from "./bundle/proof-bundle.ts";
export { bundleText, checkedText } from "./bundle/proof-words.ts";
export type { ProofSite, ReproductionWish } from "./check-reproduction.ts";
export { type ReproduceOptions, reproduce } from "./reproduce.ts";
export { reproductionText } from "./reproduction-words.ts";
