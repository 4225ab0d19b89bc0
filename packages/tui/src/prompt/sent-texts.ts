/** Texts that were sent before come back into the prompt: one by one, or by a search. */
import { createHistorySearcher, createHistoryWalk, type HistorySearcher, type PromptHistory } from "./history.ts";
import { promptText } from "./input-text.ts";
import type { PromptLayout } from "./prompt-layout.ts";
import type { TextBuffer } from "./text-buffer.ts";

export type SentTextParts = {
  readonly history: PromptHistory;
  readonly buffer: TextBuffer;
  readonly layoutOf: (text: string) => PromptLayout;
  readonly onSearch: () => void;
  /** A text came back. */
  readonly onShown: () => void;
  readonly redraw: () => void;
};

export type SentTexts = {
  search(): HistorySearcher | undefined;
  stepHistory(direction: -1 | 1): boolean;
  openSearch(): void;
  leaveSearch(): void;
  takeMatch(): void;
  /** The text is the user's own again. */
  leave(): void;
  /** The same, and no search any more. */
  end(): void;
};

export function createSentTexts({ history, buffer, layoutOf, onSearch, onShown, redraw }: SentTextParts): SentTexts {
  const walk = createHistoryWalk(history);
  let search: HistorySearcher | undefined;

  /** From a long one, up goes on upwards at once, not row by row. */
  function show(text: string, direction?: -1 | 1): void {
    buffer.setText(text);
    const isLong = layoutOf(text).rowAt(text.length).start > 0;
    if (direction === -1 && isLong) buffer.moveTo(0);
    onShown();
  }

  return {
    search: () => search,
    stepHistory(direction) {
      const step = walk.step(direction, buffer.text());
      if (step === undefined) return false;
      show(step.kind === "entry" ? promptText(step.text) : step.text, direction);
      return true;
    },
    openSearch() {
      search = createHistorySearcher(history);
      onSearch();
      redraw();
    },
    leaveSearch() {
      search = undefined;
      redraw();
    },
    takeMatch() {
      const match = search?.state().match;
      search = undefined;
      walk.leave();
      if (match === undefined) redraw();
      else show(match.text);
    },
    leave: walk.leave,
    end() {
      search = undefined;
      walk.leave();
    },
  };
}
