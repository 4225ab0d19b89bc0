/** Splits Markdown into its top-level blocks while it streams: a block is looked at again only as long as it is the last. */

import { type CodeFence, createCodeFence, fenceHeadOf, openFenceOf } from "./code-fence.ts";
import { cutPoint } from "./cut-point.ts";
import type { LexMarkdown, MarkdownToken } from "./lex-markdown.ts";

export type Block = {
  /** Blank line in the source before it. */
  readonly hasGap: boolean;
  /** It is the rest of the block before it, which grew too large. */
  readonly isRest: boolean;
  /** Its rest follows. */
  readonly isCut: boolean;
} & ({ readonly kind: "token"; readonly token: MarkdownToken } | { readonly kind: "fence"; readonly fence: CodeFence });

export interface BlockSplitter {
  push(text: string): void;
  /** Nothing more comes. */
  end(): void;
  /** Works on what was pushed. */
  advance(): void;
  /** Never change again. */
  readonly finished: readonly Block[];
  /** What may still change: the last block, and the one before it while that may turn out to be the same. */
  readonly open: readonly Block[];
}

/** A block that grows past it is cut, so that the work for a delta stays small. */
const openBlockMax = 4096;
/** Looked at in one go when much text comes at once. */
const sliceMax = 8192;
/** The beginning of a line that is longer does not change its mind about what it is. */
const decidedLength = 16;

/** The lexer takes a footnote for the target of a link, which nobody needs to see. */
const footnoteMark = "^";

type Place = { readonly hasGap: boolean; readonly isRest: boolean };
const atStart: Place = { hasGap: false, isRest: false };

export function createBlockSplitter(lex: LexMarkdown): BlockSplitter {
  const finished: Block[] = [];
  let open: readonly Block[] = [];
  let pending = "";
  let isEnded = false;
  let fence: { readonly lines: CodeFence; readonly place: Place } | undefined;
  const placing = createPlacing();

  const openFence = (lines: CodeFence): void => {
    fence = { lines, place: placing.takePlace() };
  };

  const takeFence = ({ lines, place: fencePlace }: NonNullable<typeof fence>): boolean => {
    pending = lines.take(pending);
    if (isEnded && !lines.isClosed) {
      lines.close(pending);
      pending = "";
    }
    const block: Block = { kind: "fence", fence: lines, ...fencePlace, isCut: false };
    if (!lines.isClosed) {
      open = [block];
      return false;
    }
    finished.push(block);
    fence = undefined;
    return true;
  };

  /** The block at the beginning of what is pending is too large: its first part is finished as it is. */
  const cut = (last: Pick<MarkdownToken, "type" | "raw">): void => {
    const { end, carried } = cutPoint(last, pending.length > sliceMax ? last.raw.length : openBlockMax);
    const piece = pending.slice(0, end);
    const blocks = placing.take(lex(piece));
    finished.push(...blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, isCut: true } : block)));
    pending = carried + pending.slice(end);
    placing.continueBlock();
    const head = last.type === "list" ? openFenceOf(piece) : undefined;
    if (head !== undefined) openFence(createCodeFence(head));
  };

  /** False when all that can be finished is. */
  const takeBlocks = (): boolean => {
    const isWhole = pending.length <= sliceMax;
    const slice = isWhole ? pending : pending.slice(0, sliceEnd(pending));
    const tokens = lex(slice);
    if (isWhole && isEnded) {
      finished.push(...placing.take(tokens));
      pending = "";
      return false;
    }
    const lastIndex = tokens.findLastIndex(({ type }) => type !== "space");
    const last = tokens[lastIndex];
    const isOnlyOne = lastIndex <= 0 && (last?.raw.length ?? 0) <= openBlockMax;
    if (!isWhole && isOnlyOne) {
      // Thousands of blank lines follow, and no block goes on after that.
      finished.push(...placing.take(tokens));
      pending = pending.slice(slice.length);
      return true;
    }
    // Blank lines only: they may yet be the indentation of code.
    if (last === undefined) return false;
    const before = tokens.slice(0, lastIndex).map(({ raw }) => raw);
    const offset = before.reduce((sum, raw) => sum + raw.length, 0);
    // Taken from the text, because the lexer changes the end of some lists.
    const lastText = slice.slice(offset);
    const isDecided = !isWhole || lastText.includes("\n") || lastText.length >= decidedLength;
    const isFound = slice.startsWith(before.join(""));
    if (isDecided && !isFound && slice.length > openBlockMax) {
      // The lexer joined texts in a way that hides where its last block began.
      finished.push(...placing.take(tokens));
      pending = pending.slice(slice.length);
      return pending !== "";
    }
    if (!isDecided || !isFound) {
      open = placing.peek(tokens);
      return false;
    }
    finished.push(...placing.take(tokens.slice(0, lastIndex)));
    pending = pending.slice(offset);
    const headEnd = pending.indexOf("\n");
    const head = last.type === "code" && headEnd >= 0 ? fenceHeadOf(pending.slice(0, headEnd)) : undefined;
    if (head !== undefined) {
      pending = pending.slice(headEnd + 1);
      openFence(createCodeFence(head));
      return true;
    }
    if (lastText.length > openBlockMax) {
      cut({ type: last.type, raw: lastText });
      return true;
    }
    if (!isWhole) return true;
    open = placing.peek([last]);
    return false;
  };

  return {
    finished,
    get open() {
      return open;
    },
    push(text) {
      pending += text;
    },
    end() {
      isEnded = true;
    },
    advance() {
      open = [];
      let isMoving = true;
      while (isMoving) isMoving = fence === undefined ? pending !== "" && takeBlocks() : takeFence(fence);
    },
  };
}

/** Where each block stands: behind a gap, or as the rest of one that was cut. */
function createPlacing() {
  /** Of what comes next. */
  let place = atStart;

  function takePlace(): Place {
    const taken = place;
    place = atStart;
    return taken;
  }

  function take(tokens: readonly MarkdownToken[]): readonly Block[] {
    const blocks: Block[] = [];
    for (const token of tokens) {
      if (token.type === "space") place = { ...place, hasGap: true };
      else if (token.type !== "def" || token.tag.startsWith(footnoteMark))
        blocks.push({ ...takePlace(), isCut: false, ...blockOf(token) });
    }
    return blocks;
  }

  return {
    take,
    takePlace,
    /** The blocks as they stand, which may all come again. */
    peek(tokens: readonly MarkdownToken[]): readonly Block[] {
      const before = place;
      const blocks = take(tokens);
      place = before;
      return blocks;
    },
    continueBlock() {
      place = { hasGap: false, isRest: true };
    },
  };
}

function blockOf(token: MarkdownToken): { kind: "token"; token: MarkdownToken } | { kind: "fence"; fence: CodeFence } {
  const head =
    token.type === "code" && token.codeBlockStyle !== "indented" ? fenceHeadOf(firstLine(token.raw)) : undefined;
  if (head === undefined) return { kind: "token", token };
  const fence = createCodeFence(head);
  const end = token.raw.indexOf("\n");
  const rest = end < 0 ? "" : fence.take(token.raw.slice(end + 1));
  fence.close(rest);
  return { kind: "fence", fence };
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

/** At a line end where there is one. */
function sliceEnd(text: string): number {
  const lineEnd = text.lastIndexOf("\n", sliceMax - 1);
  return lineEnd > 0 ? lineEnd + 1 : sliceMax;
}
