/** The inside of a paragraph as spans: emphasis, code, links, images, line breaks. */

import { knownTokens, type MarkdownToken } from "../screen/markdown-lexer.ts";
import { type Line, type Span, span, type TextStyle } from "../syntax/styled-text.ts";
import { transcriptTexts } from "../texts/conversation.ts";

/** Spans may hold line feeds. */
export function inlineSpans(tokens: readonly MarkdownToken[], style: TextStyle): Line {
  return tokens.flatMap((token) => spansOf(token, style));
}

function spansOf(token: MarkdownToken, style: TextStyle): readonly Span[] {
  switch (token.type) {
    case "strong":
      return inlineSpans(knownTokens(token.tokens), { ...style, isBold: true });
    case "em":
      return inlineSpans(knownTokens(token.tokens), { ...style, isItalic: true });
    case "del":
      return inlineSpans(knownTokens(token.tokens), { ...style, isStruck: true });
    case "codespan":
      return [span(token.text.replaceAll("\n", " "), { ...style, color: "mdCode" })];
    case "br":
      return [span("\n", style)];
    case "link":
      return linkSpans(knownTokens(token.tokens), token.href, style);
    case "image":
      return [span(imageText(token.text, token.href), { ...style, color: "mdLinkUrl" })];
    case "escape":
      return [span(token.text, style)];
    case "text":
      return token.tokens === undefined
        ? [span(withoutEntities(token.text), style)]
        : inlineSpans(knownTokens(token.tokens), style);
    case "html":
      return [span(lineBreakTag.test(token.raw) ? "\n" : token.raw, style)];
    case "checkbox":
      // The list draws it as its bullet.
      return [];
    case "paragraph":
    case "heading":
    case "blockquote":
    case "list_item":
      return inlineSpans(knownTokens(token.tokens), style);
    case "code":
    case "def":
    case "hr":
    case "list":
    case "space":
    case "table":
      return [span(token.raw, style)];
  }
}

const lineBreakTag = /^<br\s*\/?>$/i;

function linkSpans(tokens: readonly MarkdownToken[], href: string, style: TextStyle): readonly Span[] {
  const shown = inlineSpans(tokens, { ...style, color: "mdLink", isUnderlined: true });
  const text = shown.map((part) => part.text).join("");
  if (href === "" || href === text || href === `mailto:${text}` || href === `http://${text}`) return shown;
  return [...shown, span(` (${href})`, { ...style, color: "mdLinkUrl" })];
}

/** An image cannot be shown here; who would serve it is what a reader may want to know. */
function imageText(alt: string, href: string): string {
  const host = URL.canParse(href) ? new URL(href).host : "";
  return transcriptTexts.image(
    [alt === "" ? transcriptTexts.imageWithoutText : alt, host].filter((part) => part !== "").join(", "),
  );
}

/** Only harmless ones: a number could spell a control character after the text was cleaned. */
const entities: { readonly [entity: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&nbsp;": " ",
};

function withoutEntities(text: string): string {
  return text.includes("&") ? text.replaceAll(/&(?:[a-z]+|#39);/g, (entity) => entities[entity] ?? entity) : text;
}
