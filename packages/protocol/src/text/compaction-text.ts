/** What a summary of the older part of a conversation came to, as one sentence for clients that have no mark for it. */
import type { FactOf } from "../facts/facts.ts";

export function compactionText(compacted: Pick<FactOf<"context.compacted">, "tokensBefore" | "tokensAfter">): string {
  const { tokensBefore, tokensAfter } = compacted;
  return `Conversation compacted from ${tokensBefore.toLocaleString("en-US")} to ${tokensAfter.toLocaleString("en-US")} tokens.`;
}
