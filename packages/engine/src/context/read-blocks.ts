/** Reads what a source gave: others may have written it, so no type holds for it. What it cannot be is thrown. */
import { type ContextBlock, isJsonObject } from "@kedge/protocol";

/** The same list where it is in order, which is nearly always: this runs at every step. */
export function readBlocks(given: unknown): readonly ContextBlock[] {
  if (!Array.isArray(given)) throw new Error("it gave no list of blocks");
  if (given.length === 0) return given;
  if (!given.every(isBlock)) throw new Error("a block needs a text and an origin");
  if (given.length < 2) return given;
  const origins = new Set(given.map(({ origin }) => origin));
  // The first of two with one origin counts, or each would be news after the other for ever.
  return origins.size === given.length ? given : given.filter(({ origin }) => origins.delete(origin));
}

function isBlock(block: unknown): block is ContextBlock {
  if (!isJsonObject(block)) return false;
  const { text, origin, hash, note } = block;
  const isNamed = typeof text === "string" && typeof origin === "string";
  return isNamed && [hash, note].every((each) => each === undefined || typeof each === "string");
}
