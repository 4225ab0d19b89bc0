/** Markdown that grows: blocks that are finished stay the same objects, so only the last one is drawn again. */
import { type Block, createBlockSplitter, createGuardedLexer } from "@kedge/tui/drawing";
import { Marked } from "marked";

// Another version of the same library; the lexer is guarded by what both have.
const lex = createGuardedLexer(Marked as unknown as Parameters<typeof createGuardedLexer>[0]);

export type MarkdownFeed = {
  /** The text so far; `isWhole` once nothing more follows. */
  take(text: string, options: { readonly isWhole: boolean }): void;
  readonly finished: readonly Block[];
  readonly open: readonly Block[];
};

export function createMarkdownFeed(): MarkdownFeed {
  let splitter = createBlockSplitter(lex);
  let fed = "";
  let isEnded = false;
  return {
    take(text, { isWhole }) {
      if (text === fed && isEnded === isWhole) return;
      if (isEnded || !text.startsWith(fed)) {
        splitter = createBlockSplitter(lex);
        fed = "";
      }
      splitter.push(text.slice(fed.length));
      fed = text;
      isEnded = isWhole;
      if (isWhole) splitter.end();
      splitter.advance();
    },
    get finished() {
      return splitter.finished;
    },
    get open() {
      return splitter.open;
    },
  };
}

export function wholeBlocks(text: string): readonly Block[] {
  const feed = createMarkdownFeed();
  feed.take(text, { isWhole: true });
  return feed.finished;
}
