/** Which versions of named blocks the conversation shows: found in it, so that a resume, an undo and a summary all count. */
import type { ConversationItem, SentBlock, SessionState } from "@kedge/protocol";

/** The last version of a block, and how much all its versions in the conversation have together. */
export type ShownBlock = { readonly hash: string; readonly characters: number };

export type ShownBlocks = {
  /** The blocks of a source, by origin. */
  readonly of: (source: string, state: Pick<SessionState, "items">) => ReadonlyMap<string, ShownBlock> | undefined;
};

export function createShownBlocks(): ShownBlocks {
  let looked: readonly ConversationItem[] | undefined;
  let count = 0;
  const bySource = new Map<string, Map<string, ShownBlock>>();
  return {
    of(source, { items }) {
      if (looked !== items) {
        looked = items;
        count = 0;
        bySource.clear();
      }
      for (; count < items.length; count += 1) {
        const item = items[count];
        if (item?.type === "reminder" && item.sent !== undefined) add(bySource, item.sent, item.text.length);
      }
      return bySource.get(source);
    },
  };
}

function add(
  bySource: Map<string, Map<string, ShownBlock>>,
  { source, origin, hash }: SentBlock,
  characters: number,
): void {
  const blocks = bySource.get(source) ?? new Map<string, ShownBlock>();
  blocks.set(origin, { hash, characters: (blocks.get(origin)?.characters ?? 0) + characters });
  bySource.set(source, blocks);
}
