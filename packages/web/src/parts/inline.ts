/** The inside of a paragraph: emphasis, code, links, pictures and line breaks. Markup in the text stays text. */
import { knownTokens, type MarkdownToken } from "@kedge/tui/drawing";
import { type ComponentChildren, h } from "preact";
import * as texts from "../texts/parts.ts";
import { Address } from "./address.ts";
import type { Look } from "./look.ts";
import { filePlace, inlinePicture, safeAddress } from "./safe-address.ts";
import { visibleText } from "./visible-text.ts";

export function inline(tokens: readonly MarkdownToken[], look: Look): ComponentChildren[] {
  return tokens.map((token) => inlineToken(token, look));
}

function inlineToken(token: MarkdownToken, look: Look): ComponentChildren {
  switch (token.type) {
    case "strong":
      return h("strong", {}, inline(knownTokens(token.tokens), look));
    case "em":
      return h("em", {}, inline(knownTokens(token.tokens), look));
    case "del":
      return h("del", {}, inline(knownTokens(token.tokens), look));
    case "codespan":
      return codeSpan(visibleText(token.text), look);
    case "br":
      return h("br", {});
    case "link":
      return h(
        Address,
        { href: token.href, text: token.text, look },
        ...inline(withoutLinks(knownTokens(token.tokens)), look),
      );
    case "image":
      return picture(token.href, visibleText(token.text), look);
    case "escape":
      return visibleText(token.text);
    case "text":
      return token.tokens === undefined
        ? visibleText(withoutEntities(token.text))
        : inline(knownTokens(token.tokens), look);
    case "html":
      return lineBreakTag.test(token.raw) ? h("br", {}) : visibleText(token.raw);
    case "checkbox":
      return undefined;
    case "paragraph":
    case "heading":
    case "blockquote":
    case "list_item":
      return inline(knownTokens(token.tokens), look);
    case "code":
    case "def":
    case "hr":
    case "list":
    case "space":
    case "table":
      return visibleText(token.raw);
  }
}

/** A link inside a link would hide where the outer one leads. */
function withoutLinks(tokens: readonly MarkdownToken[]): readonly MarkdownToken[] {
  return tokens.flatMap((token) => (token.type === "link" ? withoutLinks(knownTokens(token.tokens)) : [token]));
}

const lineBreakTag = /^<br\s*\/?>$/i;

function codeSpan(text: string, look: Look): ComponentChildren {
  const file = look.fileHref === undefined ? undefined : filePlace(text);
  const code = h("code", {}, text);
  if (file === undefined || look.fileHref === undefined) return code;
  return h("a", { class: "file-link", href: look.fileHref(file.path, file.line) }, code);
}

/** A picture from elsewhere is named and not fetched: whoever serves it would learn that somebody reads this. */
function picture(href: string, alt: string, look: Look): ComponentChildren {
  const source = inlinePicture(href);
  if (source !== undefined) return h("img", { src: source, alt: alt === "" ? texts.picture : alt });
  const label = texts.image(alt);
  if (safeAddress(href) === undefined) return h("span", { class: "dead-link" }, label);
  return h(Address, { href, text: label, look }, label);
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
