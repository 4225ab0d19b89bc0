/**
 * Goes on with the vendor's count where results were cleared and the next answer has not brought a new one. An estimate
 * of everything is larger by its padding, and would have a step that is tried again shorten what fitted before.
 */
import type { SessionState } from "@kedge/protocol";
import type { ContextTokens } from "./context-size.ts";
import { unpadTokens } from "./estimate-tokens.ts";

export type ExpectedCount = {
  readonly model: string;
  /** The vendor's count without what was cleared. */
  readonly tokens: number;
  /** What an estimate of the same conversation comes to. */
  readonly estimated: number;
};

export interface CarriedCount {
  /** To be called before the state changes: what it will be counted as when everything planned is cleared. */
  keep(state: SessionState, expected: ExpectedCount): void;
  /** The count that is expected, where nothing but clearing and growth came between; otherwise the one given. */
  apply(state: SessionState, model: string, counted: ContextTokens): ContextTokens;
}

type Place = { readonly firstId: string | undefined; readonly lastId: string | undefined; readonly itemCount: number };

export function createCarriedCount(): CarriedCount {
  let kept: (Place & ExpectedCount) | undefined;
  return {
    keep({ items }, expected) {
      kept = { firstId: items[0]?.id, lastId: items.at(-1)?.id, itemCount: items.length, ...expected };
    },
    apply({ items }, model, counted) {
      if (counted.isMeasured) kept = undefined;
      if (kept?.model !== model) return counted;
      if (items[0]?.id !== kept.firstId || items[kept.itemCount - 1]?.id !== kept.lastId) return counted;
      const change = counted.tokens - kept.estimated;
      // Of what else was taken out only the estimate itself is sure, not its padding.
      const estimated = change >= 0 ? change : -unpadTokens(-change);
      const tokens = kept.tokens + estimated;
      return { tokens, isMeasured: true, parts: { reported: kept.tokens, fixed: 0, estimated } };
    },
  };
}
