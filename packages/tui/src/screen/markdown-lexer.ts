/** The Markdown lexer of the terminal library, with the kinds of token it can give without extensions. */
import { Marked } from "@earendil-works/pi-tui";
import { createGuardedLexer, type LexMarkdown } from "../markdown/lex-markdown.ts";

export {
  knownTokens,
  type LexMarkdown,
  type MarkdownList,
  type MarkdownListItem,
  type MarkdownTable,
  type MarkdownToken,
} from "../markdown/lex-markdown.ts";

export function createMarkdownLexer(): LexMarkdown {
  return createGuardedLexer(Marked);
}
