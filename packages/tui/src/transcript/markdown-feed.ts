/** Feeds one text to a markdown view as it grows: only what is new. */
import type { MarkdownView } from "./transcript-parts.ts";

export type MarkdownFeed = {
  /** The text so far; `isWhole` once nothing more follows. */
  take(text: string, options: { readonly isWhole: boolean }): void;
  render(width: number): readonly string[];
};

export function createMarkdownFeed(createMarkdown: () => MarkdownView): MarkdownFeed {
  const markdown = createMarkdown();
  let fed = "";
  let isEnded = false;

  return {
    take(text, { isWhole }) {
      if (text === fed && (isEnded || !isWhole)) return;
      if (isEnded || !text.startsWith(fed)) markdown.setText(text);
      else if (text !== fed) markdown.append(text.slice(fed.length));
      fed = text;
      isEnded = isWhole;
      if (isWhole) markdown.end();
    },
    render: (width) => markdown.render(width),
  };
}
