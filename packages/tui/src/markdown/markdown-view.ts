/** An answer in Markdown as lines, while it streams: what is finished is painted once, and only the last block again. */
import { createMarkdownLexer, type LexMarkdown } from "../screen/markdown-lexer.ts";
import type { View } from "../screen/view.ts";
import type { Highlighter } from "../syntax/highlighter.ts";
import { paintLine, plainStyle } from "../syntax/styled-text.ts";
import type { Theme } from "../theme/theme.ts";
import { type BlockContext, blockLines, wantsGap } from "./block-lines.ts";
import { type Block, type BlockSplitter, createBlockSplitter } from "./block-splitter.ts";
import { createCleanStream } from "./clean-stream.ts";
import { type CodePainter, createCodePainter } from "./code-painter.ts";
import { tableLines } from "./table-lines.ts";

export interface MarkdownView extends View {
  /** Instead of all that was there; more may be appended. */
  setText(text: string): void;
  append(delta: string): void;
  /** Nothing more comes, until the text is set again. */
  end(): void;
}

export type MarkdownViewParts = {
  readonly theme: () => Theme;
  readonly highlight: Highlighter;
  /** The library's lexer where nothing else is said. */
  readonly lex?: LexMarkdown;
};

/** What is on the lines for one width and one theme. */
type Painted = {
  readonly width: number;
  readonly theme: Theme;
  /** Of finished blocks, and of the whole lines of an open fence. */
  readonly lines: string[];
  /** Where each finished block begins, its blank line included. */
  readonly starts: number[];
  /** Columns of the table whose rest comes next. */
  columns: readonly number[] | undefined;
  /** Of the fence that is open, which is the next block to be finished. */
  fence: { readonly painter: CodePainter; readonly start: number } | undefined;
  readonly waiting: { readonly block: number; readonly language: string }[];
};

export function createMarkdownView({ theme, highlight, lex = createMarkdownLexer() }: MarkdownViewParts): MarkdownView {
  let clean = createCleanStream();
  let source = "";
  let isEnded = false;
  /** Undefined once the text has ended and is drawn: its blocks take ten times the room of the text they came from. */
  let splitter: BlockSplitter | undefined = createBlockSplitter(lex);
  let painted: Painted | undefined;
  let shown: { readonly width: number; readonly theme: Theme; readonly lines: readonly string[] } | undefined;

  function push(text: string): void {
    if (text === "") return;
    source += text;
    splitter?.push(text);
    shown = undefined;
  }

  function splitAgain(): BlockSplitter {
    const again = createBlockSplitter(lex);
    again.push(source);
    again.end();
    return again;
  }

  return {
    setText(text) {
      clean = createCleanStream();
      source = "";
      isEnded = false;
      splitter = createBlockSplitter(lex);
      painted = undefined;
      shown = undefined;
      push(clean.push(text));
    },
    append: (delta) => push(clean.push(delta)),
    end() {
      push(clean.end());
      splitter?.end();
      isEnded = true;
      shown = undefined;
    },
    render(widthOffered) {
      const width = Math.max(1, widthOffered);
      const currentTheme = theme();
      const hasNewColours = painted !== undefined && forgetWaiting(painted, highlight);
      if (shown?.width === width && shown.theme === currentTheme && !hasNewColours) return shown.lines;
      if (painted?.width !== width || painted.theme !== currentTheme) painted = emptyPaint(width, currentTheme);
      splitter ??= splitAgain();
      splitter.advance();
      const lines = paintAll(painted, splitter, highlight);
      shown = { width, theme: currentTheme, lines };
      if (isEnded && painted.waiting.length === 0) {
        painted = undefined;
        splitter = undefined;
      }
      return lines;
    },
  };
}

function emptyPaint(width: number, theme: Theme): Painted {
  return { width, theme, lines: [], starts: [], columns: undefined, fence: undefined, waiting: [] };
}

/** Blocks from the first whose colours came are painted again; true when there was one. */
function forgetWaiting(painted: Painted, highlight: Highlighter): boolean {
  const first = painted.waiting.find(({ language }) => highlight.ready(language));
  if (first === undefined) return false;
  painted.lines.length = painted.starts[first.block] ?? painted.fence?.start ?? painted.lines.length;
  painted.starts.length = Math.min(first.block, painted.starts.length);
  painted.fence = undefined;
  forgetWaits(painted, first.block);
  return true;
}

function forgetWaits({ waiting }: Painted, fromBlock: number): void {
  while ((waiting.at(-1)?.block ?? -1) >= fromBlock) waiting.pop();
}

function paintAll(painted: Painted, { finished, open }: BlockSplitter, highlight: Highlighter): readonly string[] {
  for (let index = painted.starts.length; index < finished.length; index++) {
    const block = finished[index];
    if (block === undefined) break;
    paintBlock(painted, { block, before: finished[index - 1], index }, highlight);
  }
  const count = painted.lines.length;
  const [first] = open;
  if (first?.kind === "fence" && !first.fence.isClosed) {
    const start = painted.lines.length;
    paintBlock(painted, { block: first, before: finished.at(-1), index: finished.length }, highlight);
    painted.starts.length = finished.length;
    const painter = painted.fence?.painter;
    return painter === undefined ? painted.lines.slice(0, start) : painted.lines.concat(painter.openLines());
  }
  const columns = painted.columns;
  forgetWaits(painted, finished.length);
  for (const [index, block] of open.entries()) {
    paintBlock(
      painted,
      { block, before: open[index - 1] ?? finished.at(-1), index: finished.length + index },
      highlight,
    );
  }
  const all = painted.lines.slice();
  painted.lines.length = count;
  painted.starts.length = finished.length;
  painted.columns = columns;
  return all;
}

type Placed = { readonly block: Block; readonly before: Block | undefined; readonly index: number };

function paintBlock(painted: Painted, { block, before, index }: Placed, highlight: Highlighter): void {
  const { lines, theme, width } = painted;
  const start = painted.fence?.start ?? lines.length;
  painted.starts.push(start);
  const wait = (language: string) => painted.waiting.push({ block: index, language });
  if (painted.fence === undefined && needsGap(before, block)) lines.push("");
  if (block.kind === "fence") {
    const parts = { fence: block.fence, hasTop: !block.isRest, width, theme, highlight, lines };
    const painter = painted.fence?.painter ?? createCodePainter(parts);
    const wasWaiting = painter.isWaiting;
    painter.paint();
    if (painter.isWaiting && !wasWaiting) wait(block.fence.label);
    painted.fence = block.fence.isClosed ? undefined : { painter, start };
    return;
  }
  const context: BlockContext = { width, symbols: theme.symbols, style: plainStyle, highlight, waitFor: wait };
  for (const line of tokenLines(painted, block, context)) lines.push(paintLine(line, theme));
}

function tokenLines(painted: Painted, block: Block & { readonly kind: "token" }, context: BlockContext) {
  if (block.token.type !== "table") return blockLines(block.token, context);
  const columns = block.isRest ? painted.columns : undefined;
  const table = tableLines(block.token, context, { columns, isContinued: block.isCut });
  painted.columns = table.columns.length > 0 ? table.columns : undefined;
  return table.lines;
}

function needsGap(before: Block | undefined, block: Block): boolean {
  if (before === undefined) return false;
  if (block.isRest) return block.kind === "token" && block.token.type === "list" && block.token.loose;
  if (before.kind === "fence" || block.kind === "fence") return true;
  return wantsGap(before.token, block.token, block.hasGap);
}
