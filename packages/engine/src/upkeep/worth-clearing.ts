/**
 * Whether clearing results pays for what the vendor's cache loses by it.
 *
 * What is cleared is not read from the cache by any request to come; what stands behind the first change is written to
 * the cache once more. So clearing pays where
 *
 *     tokens freed × requests to come × price of reading > tokens behind × (price of writing − price of reading)
 */
import type { Model } from "@kedge/protocol";
import { type Clearing, tokensFreed } from "./after-clearing.ts";
import { type ResultIndex, startOf } from "./result-index.ts";

/** Of one token that the vendor has in its cache, and of one that it puts there. Only their ratio counts. */
export type CachePrices = { readonly read: number; readonly write: number };

/** Shares of the price of input, where nobody stated the price itself; costs are counted with the same ones. */
const [readShare, writeShare] = [0.1, 1.25];

export function cachePricesOf({ prices }: Pick<Model, "prices">): CachePrices {
  const { input, cacheRead, cacheWrite } = prices ?? { input: 1 };
  return { read: cacheRead ?? input * readShare, write: cacheWrite ?? input * writeShare };
}

/** The last of these, from the one on with which most is gained; none where nothing is. They come in their order. */
export function worthClearing<Item extends Clearing>(
  clearings: readonly Item[],
  index: ResultIndex,
  { read, write }: CachePrices,
): readonly Item[] {
  let from = clearings.length;
  let freed = 0;
  let gained = 0;
  for (let at = clearings.length - 1; at >= 0; at -= 1) {
    const clearing = clearings[at];
    if (clearing === undefined) continue;
    freed += tokensFreed([clearing]);
    // A conversation is taken to go on for as long as it has gone on.
    const behind = index.tokens - startOf(clearing.entry) - freed;
    const gain = freed * index.answers * read - behind * (write - read);
    if (gain <= gained) continue;
    gained = gain;
    from = at;
  }
  return clearings.slice(from);
}
