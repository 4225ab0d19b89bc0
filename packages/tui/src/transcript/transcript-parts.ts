/** What the transcript is built from: the theme, and views that others make. */

import { cutText } from "../screen/cut-text.ts";
import type { View } from "../screen/view.ts";
import { transcriptTexts } from "../texts/conversation.ts";
import type { Theme } from "../theme/theme.ts";
import type { Reveal } from "./streaming-reveal.ts";
import type { Look } from "./unit.ts";

/** Takes text as it came and cleans it. */
export interface MarkdownView extends View {
  setText(text: string): void;
  append(delta: string): void;
  /** Nothing more follows. */
  end(): void;
}

export type DiffInput = { readonly patch: string } | { readonly before: string; readonly after: string };

export type DiffView = View & { readonly counts?: { readonly added: number; readonly removed: number } };

export type TranscriptParts = {
  readonly theme: () => Theme;
  readonly createMarkdown: () => MarkdownView;
  /** Shows at most so many lines and says itself how many are left out. */
  readonly createDiff: (input: DiffInput, path: string, linesMax: number) => DiffView;
  /** Without it text is shown as it arrives. */
  readonly reveal?: Reveal;
  /** The keys that show more, as they are named on the screen. */
  readonly keys?: { readonly expand: string; readonly pager?: string };
};

export const expandKeyUsual = "ctrl+o";

/** Results and prompts above this are cut. */
export const shownLinesMax = 40;

/** Says how many lines are not shown, and the key that shows them. */
export function moreLines(
  { keys }: TranscriptParts,
  { theme, isOpen, width }: Look,
  { count, word = "more" }: { readonly count: number; readonly word?: "more" | "earlier" },
): string {
  const key = isOpen ? keys?.pager : (keys?.expand ?? expandKeyUsual);
  const lines = word === "more" ? transcriptTexts.moreLines(count) : transcriptTexts.earlierLines(count);
  const named = `${theme.symbols.ellipsis} ${lines}`;
  const line = key === undefined ? named : `${named}, ${key}`;
  return theme.fg("dim", cutText(line, width, theme.symbols.ellipsis));
}
