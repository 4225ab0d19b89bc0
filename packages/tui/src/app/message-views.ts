/** The views that messages are made of: Markdown and diffs with their colours. Loaded after the first frame, which has none. */
import { readUnifiedDiff } from "@kedge/protocol";
import { diffLines } from "../diff/diff-lines.ts";
import { createDiffView, type DiffLayout, type DiffView } from "../diff/diff-view.ts";
import { createMarkdownView, type MarkdownView } from "../markdown/markdown-view.ts";
import { createMarkdownLexer } from "../screen/markdown-lexer.ts";
import { createHighlighter } from "../syntax/highlighter.ts";
import { languageOfPath } from "../syntax/languages.ts";
import type { Theme } from "../theme/theme.ts";
import type { DiffInput } from "../transcript/transcript-parts.ts";

export interface MessageViews {
  createMarkdown(): MarkdownView;
  createDiff(input: DiffInput, path: string, linesMax: number): DiffView;
}

export type MessageViewParts = {
  readonly theme: () => Theme;
  readonly layout: DiffLayout;
  /** Colours of a language came, and what is drawn without them is to be drawn again. */
  readonly onColours: () => void;
};

export function createMessageViews({ theme, layout, onColours }: MessageViewParts): MessageViews {
  const highlight = createHighlighter({ onReady: onColours });
  const lex = createMarkdownLexer();
  return {
    createMarkdown: () => createMarkdownView({ theme, highlight, lex }),
    createDiff(input, path, linesMax) {
      const diff = "patch" in input ? readUnifiedDiff(input.patch).files : [diffLines(input.before, input.after, path)];
      return createDiffView({ diff, language: languageOfPath(path), linesMax, highlight, theme, layout });
    },
  };
}
