/** Texts laid out in the columns of the prompt, with the labels of attachments in them. */
import type { AttachmentTokens } from "./attachment-tokens.ts";
import { drawnGrapheme } from "./input-text.ts";
import { createPromptLayout, type PromptLayout } from "./prompt-layout.ts";

export type PromptLayouts = {
  /** Lays a text out as the prompt does; the same text once only. */
  layoutOf(text: string): PromptLayout;
  setColumns(columns: number): void;
  /** A label may have changed while the text did not. */
  forget(): void;
};

export function createPromptLayouts(tokens: AttachmentTokens): PromptLayouts {
  let columns = 1;
  let laidOut: { readonly text: string; readonly columns: number; readonly layout: PromptLayout } | undefined;

  function draw(grapheme: string): string {
    return tokens.labelOf(String.fromCodePoint(grapheme.codePointAt(0) ?? 0)) ?? drawnGrapheme(grapheme);
  }

  return {
    layoutOf(text) {
      if (laidOut?.text !== text || laidOut.columns !== columns) {
        laidOut = { text, columns, layout: createPromptLayout(text, columns, draw) };
      }
      return laidOut.layout;
    },
    setColumns(wanted) {
      columns = wanted;
    },
    forget() {
      laidOut = undefined;
    },
  };
}
