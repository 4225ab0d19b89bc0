/** Blocks of Markdown as elements. What the page can contain is what this file makes: no element comes from a text. */
import { type Block, knownTokens, type MarkdownList, type MarkdownTable, type MarkdownToken } from "@kedge/tui/drawing";
import { type ComponentChildren, h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import { CodeBlock } from "./code.ts";
import { inline } from "./inline.ts";
import type { Look } from "./look.ts";
import { wholeBlocks } from "./markdown-feed.ts";
import { visibleText } from "./visible-text.ts";

export function Markdown({ text, look }: { readonly text: string; readonly look: Look }): JSX.Element {
  const blocks = wholeBlocks(text).map((block, index) => h(MarkdownBlock, { key: index, block, look }));
  return h("div", { class: "markdown", dir: "auto" }, blocks);
}

export type BlockProps = { readonly block: Block; readonly look: Look };

export function MarkdownBlock({ block, look }: BlockProps): JSX.Element | undefined {
  const drawn = block.kind === "fence" ? fence(block, look) : blockToken(block.token, look, 0);
  if (drawn === undefined) return undefined;
  return h("div", { class: block.isRest ? "block rest" : "block" }, drawn);
}

function fence(
  { fence: { lines, openLine, label, isClosed } }: Extract<Block, { kind: "fence" }>,
  look: Look,
): JSX.Element {
  const code = [...lines, ...(openLine === "" ? [] : [openLine])].join("\n");
  return h(CodeBlock, { code, label, look, isOpen: !isClosed });
}

/** Deeper ones are shown as their plain text, whatever a text nests. */
const depthMax = 12;

function blockToken(token: MarkdownToken, look: Look, depth: number): JSX.Element | undefined {
  if (depth > depthMax) return h("p", {}, visibleText(token.raw.trimEnd()));
  switch (token.type) {
    case "heading":
      return heading(token.depth, inline(knownTokens(token.tokens), look));
    case "paragraph":
      return h("p", {}, inline(knownTokens(token.tokens), look));
    case "list":
      return list(token, look, depth);
    case "blockquote":
      return h("blockquote", {}, nested(knownTokens(token.tokens), look, depth));
    case "code":
      return h(CodeBlock, { code: token.text.replace(/\n$/, ""), label: token.lang ?? "", look });
    case "table":
      return table(token, look);
    case "hr":
      return h("hr", {});
    case "html":
    case "def":
      return h("p", { class: "markup" }, visibleText(token.raw.trimEnd()));
    case "space":
    case "checkbox":
      return undefined;
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
      return h("p", {}, inline([token], look));
  }
}

/** One level for all: which ones a text skips is not known, and the page has its own first heading. */
function heading(depth: number, children: ComponentChildren): JSX.Element {
  return h("h2", { class: `heading-${Math.min(depth, 6)}` }, children);
}

function nested(tokens: readonly MarkdownToken[], look: Look, depth: number): ComponentChildren[] {
  return tokens.map((token) => blockToken(token, look, depth + 1));
}

function list({ ordered, start, items, loose }: MarkdownList, look: Look, depth: number): JSX.Element {
  const entries = items.map((item) => {
    const box = item.task ? h("span", { class: "box" }, item.checked === true ? "☑ " : "☐ ") : undefined;
    const inside = knownTokens(item.tokens).map((token) =>
      token.type === "text" && !loose ? inline([token], look) : blockToken(token, look, depth + 1),
    );
    return h("li", item.task ? { class: "task" } : {}, box, inside);
  });
  if (!ordered) return h("ul", {}, entries);
  return h("ol", start === "" || start === 1 ? {} : { start }, entries);
}

/** In a frame of its own that can be scrolled by keyboard: a wide table must not widen the page. */
function table({ header, rows, align }: MarkdownTable, look: Look): JSX.Element {
  const cellClass = (index: number) => (align[index] === null ? {} : { class: `align-${align[index]}` });
  const cells = (tag: "th" | "td", row: MarkdownTable["rows"][number]) =>
    row.map(({ tokens }, index) =>
      h(tag, { ...cellClass(index), ...(tag === "th" && { scope: "col" }) }, inline(knownTokens(tokens), look)),
    );
  return h(
    "div",
    { class: "table-frame", tabIndex: 0, role: "group", "aria-label": texts.table },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, cells("th", header))),
      h(
        "tbody",
        {},
        rows.map((row) => h("tr", {}, cells("td", row))),
      ),
    ),
  );
}
