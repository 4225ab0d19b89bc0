/** Blocks of Markdown as lines of spans that fit a width: headings, lists, quotes and what stands inside them. */
import { knownTokens, type MarkdownList, type MarkdownListItem, type MarkdownToken } from "../screen/markdown-lexer.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { Highlighter } from "../syntax/highlighter.ts";
import { type Line, span, type TextStyle } from "../syntax/styled-text.ts";
import { wrapWords } from "../syntax/wrap-line.ts";
import type { Symbols } from "../theme/theme.ts";
import { codeBottom, codeLines, codeTop } from "./code-lines.ts";
import { inlineSpans } from "./inline-spans.ts";
import { tableLines } from "./table-lines.ts";

export type BlockContext = {
  readonly width: number;
  readonly symbols: Symbols;
  readonly style: TextStyle;
  readonly highlight: Highlighter;
  /** Told of languages whose colours are not there yet. */
  readonly waitFor: (language: string) => void;
};

/** Deeper ones are shown as their plain text, whatever a text nests. */
const depthMax = 12;
const narrowest = 8;

/** Blocks with a blank line between them where one belongs. */
export function blocksLines(tokens: readonly MarkdownToken[], context: BlockContext, depth = 0): readonly Line[] {
  const lines: Line[] = [];
  let before: MarkdownToken | undefined;
  let hasGap = false;
  for (const token of tokens) {
    if (token.type === "space") {
      hasGap = true;
      continue;
    }
    const inside = blockLines(token, context, depth);
    if (inside.length === 0) continue;
    if (before !== undefined && wantsGap(before, token, hasGap)) lines.push([]);
    lines.push(...inside);
    before = token;
    hasGap = false;
  }
  return lines;
}

/** A list right below its sentence stays there; other blocks are set apart. */
export function wantsGap(before: MarkdownToken, after: MarkdownToken, hasBlankLine: boolean): boolean {
  const isText = before.type === "paragraph" || before.type === "text";
  return hasBlankLine || !(isText && (after.type === "list" || after.type === "text"));
}

export function blockLines(token: MarkdownToken, context: BlockContext, depth = 0): readonly Line[] {
  if (depth > depthMax || context.width < narrowest)
    return wrapWords([span(token.raw.trimEnd(), context.style)], context.width);
  switch (token.type) {
    case "heading":
      return headingLines(token.depth, knownTokens(token.tokens), context);
    case "paragraph":
      return wrapWords(inlineSpans(knownTokens(token.tokens), context.style), context.width);
    case "list":
      return listLines(token, context, depth);
    case "blockquote":
      return quoteLines(knownTokens(token.tokens), context, depth);
    case "code":
      return codeBlockLines(token.text.replace(/\n$/, ""), token.lang ?? "", context);
    case "table":
      return tableLines(token, context).lines;
    case "hr":
      return [[span(context.symbols.horizontal.repeat(context.width), { color: "mdHr" })]];
    case "html":
    case "def":
      return wrapWords([span(token.raw.trimEnd(), context.style)], context.width);
    case "space":
    case "checkbox":
      return [];
    case "text":
    case "br":
    case "codespan":
    case "del":
    case "em":
    case "escape":
    case "image":
    case "link":
    case "list_item":
    case "strong":
      return wrapWords(inlineSpans([token], context.style), context.width);
  }
}

const markedDepth = 3;

/** Sizes are not to be had: the first is underlined, the deeper ones keep their marks. */
function headingLines(depth: number, tokens: readonly MarkdownToken[], context: BlockContext): readonly Line[] {
  const style: TextStyle = { ...context.style, color: "mdHeading", isBold: true, isUnderlined: depth === 1 };
  const mark = depth >= markedDepth ? [span(`${"#".repeat(depth)} `, style)] : [];
  return wrapWords([...mark, ...inlineSpans(tokens, style)], context.width);
}

function listLines(list: MarkdownList, context: BlockContext, depth: number): readonly Line[] {
  const start = list.start === "" ? 1 : list.start;
  const bullets = list.items.map((item, index) =>
    bulletOf(item, list.ordered ? start + index : undefined, context.symbols),
  );
  const bulletWidth = Math.max(...bullets.map(visibleWidth));
  const inside = { ...context, width: context.width - bulletWidth - 1 };
  const lines: Line[] = [];
  for (const [index, item] of list.items.entries()) {
    const bullet = (bullets[index] ?? "").padStart(bulletWidth);
    const itemLines = blocksLines(knownTokens(item.tokens), inside, depth + 1);
    if (list.loose && index > 0) lines.push([]);
    lines.push([span(`${bullet} `, { color: "mdListBullet" }), ...(itemLines[0] ?? [])]);
    for (const line of itemLines.slice(1))
      lines.push(line.length === 0 ? [] : [span(" ".repeat(bulletWidth + 1)), ...line]);
  }
  return lines;
}

function bulletOf(item: MarkdownListItem, number: number | undefined, symbols: Symbols): string {
  const box = item.task ? (item.checked === true ? symbols.todoDone : symbols.todoOpen) : undefined;
  if (number !== undefined) return box === undefined ? `${number}.` : `${number}. ${box}`;
  return box ?? symbols.bullet;
}

function quoteLines(tokens: readonly MarkdownToken[], context: BlockContext, depth: number): readonly Line[] {
  const border = `${context.symbols.quote} `;
  const inside: BlockContext = {
    ...context,
    width: context.width - visibleWidth(border),
    style: { ...context.style, color: "mdQuote" },
  };
  return blocksLines(tokens, inside, depth + 1).map((line) => [span(border, { color: "mdQuoteBorder" }), ...line]);
}

function codeBlockLines(code: string, label: string, context: BlockContext): readonly Line[] {
  if (!context.highlight.ready(label)) context.waitFor(label);
  const inside = codeLines(context.highlight.spans(code, label), context.width);
  return [codeTop(label, context), ...inside, codeBottom(context)];
}
