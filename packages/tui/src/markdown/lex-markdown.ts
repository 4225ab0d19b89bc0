/** Markdown cut into tokens, guarded against texts that were written to keep the lexer busy. */
import type { Marked, Token, Tokens } from "@earendil-works/pi-tui";

export type MarkdownToken =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.ListItem
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Tag
  | Tokens.Text;

export type MarkdownTable = Tokens.Table;
export type MarkdownList = Tokens.List;
export type MarkdownListItem = Tokens.ListItem;

/** Blocks with everything inside them. The raw texts of the blocks, joined, are the text. */
export type LexMarkdown = (text: string) => readonly MarkdownToken[];

/**
 * Emphasis and links that are longer stay plain. The library looks for their ends from every mark that could begin one,
 * and 16 KB of `*a *a *a` would take it 20 seconds.
 */
const emphasisLengthMax = 300;
const linkLengthMax = 2000;
/** Text that is made of marks more than of words was not written to be read as Markdown. */
const marksAllowed = 300;
const charactersPerMarkMin = 6;
/** Quotes and lists that begin on one line inside each other; the library calls itself for each. */
const deepLine = /^ *(?:(?:>|[-*+] |\d{1,9}[.)] ) *){24,}/m;

/** `Library` is the class of the Markdown library: the terminal and the web bring their own copies of it. */
export function createGuardedLexer(Library: typeof Marked): LexMarkdown {
  const marked = new Library();
  const usual = marked.Tokenizer.prototype;
  marked.use({
    tokenizer: {
      emStrong(text, masked, previous) {
        const aligned = masked.slice(masked.length - text.length);
        return usual.emStrong.call(
          this,
          text.slice(0, emphasisLengthMax),
          aligned.slice(0, emphasisLengthMax),
          previous,
        );
      },
      link(text) {
        return usual.link.call(this, text.slice(0, linkLengthMax));
      },
    },
  });
  return (text) => (isHostile(text) ? [plainParagraph(text)] : knownTokens(marked.lexer(text)));
}

/** Marks are matched inside a paragraph, an item or a row only, so these are looked at one by one. */
function isHostile(text: string): boolean {
  if (deepLine.test(text)) return true;
  if (countMarks(text) <= marksAllowed) return false;
  return text.split(/\n(?= *(?:\n|[-*+] |\d{1,9}[.)] |\|))/).some((part) => {
    const marks = countMarks(part);
    return marks > marksAllowed && marks * charactersPerMarkMin > part.length;
  });
}

function countMarks(text: string): number {
  return text.match(/\*+|_+|~+|[[<]/g)?.length ?? 0;
}

function plainParagraph(text: string): MarkdownToken {
  return { type: "paragraph", raw: text, text, tokens: [{ type: "text", raw: text, text, escaped: false }] };
}

/** For the tokens inside a token, which the library types more widely than it makes them. */
export function knownTokens(tokens: readonly Token[] | undefined): readonly MarkdownToken[] {
  // Generic tokens come from extensions only, and none is registered.
  return (tokens ?? []) as readonly MarkdownToken[];
}
