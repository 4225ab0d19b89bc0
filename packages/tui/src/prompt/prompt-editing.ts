/** What can be done in the prompt, by keys or by the app, and everything that follows from an edit. */
import type { Key } from "../screen/input.ts";
import { type AttachmentIntake, createAttachmentIntake } from "./attachment-intake.ts";
import { type AttachmentTokens, createAttachmentTokens } from "./attachment-tokens.ts";
import { type Completion, createCompletion } from "./completion.ts";
import { completedText } from "./completion-question.ts";
import { createDraftSaver, type DraftSaver } from "./draft-saver.ts";
import { createHistorySearcher, createHistoryWalk, type HistorySearcher } from "./history.ts";
import { drawnGrapheme, promptText, withoutTokens } from "./input-text.ts";
import { createPromptLayout, type PromptLayout } from "./prompt-layout.ts";
import type { Draft, PromptParts } from "./prompt-parts.ts";
import { type BufferAction, createTextBuffer, type TextBuffer } from "./text-buffer.ts";
import { createVimAdapter, type VimAdapter, type VimMode, type VimOutcome } from "./vim-adapter.ts";

export type PromptEditing = {
  readonly buffer: TextBuffer;
  readonly tokens: AttachmentTokens;
  readonly intake: AttachmentIntake;
  readonly completion: Completion;
  readonly drafts: DraftSaver;
  vimMode(): VimMode | undefined;
  handleVim(key: Key): VimOutcome;
  setVim(isOn: boolean): void;
  search(): HistorySearcher | undefined;
  note(): string | undefined;
  /** Lays a text out as the prompt does; the text of the buffer once per change only. */
  layoutOf(text: string): PromptLayout;
  setColumns(columns: number): void;
  readDraft(): Draft;

  /** Runs a change of the text or of the cursor, and what has to follow it. */
  edit(change: () => void): void;
  act(action: BufferAction): void;
  moveRow(direction: -1 | 1): boolean;
  stepHistory(direction: -1 | 1): boolean;
  takeCompletion(): void;
  closeCompletion(): void;
  openSearch(): void;
  leaveSearch(): void;
  takeMatch(): void;
  clearNote(): void;
  /** Something looks otherwise and the text is the same. */
  redraw(): void;
  /** Begins anew with a text and the place in it. */
  begin(text: string, cursor: number): void;
};

export function createPromptEditing(parts: PromptParts, redraw: () => void): PromptEditing {
  const buffer = createTextBuffer({ now: parts.now });
  const tokens = createAttachmentTokens();
  const walk = createHistoryWalk(parts.history);
  const drafts = createDraftSaver<Draft>(parts.saveDraft, () => (buffer.text() === "" ? undefined : readDraft()));
  const completion = createCompletion({ complete: parts.complete, onChange: redraw, onFailure: setNote });
  const intake = createAttachmentIntake({ buffer, tokens, readAttachment: parts.readAttachment, onArrived: arrived });
  let vim: VimAdapter | undefined;
  let search: HistorySearcher | undefined;
  let note: string | undefined;
  let columns = 1;
  let laidOut: { readonly text: string; readonly columns: number; readonly layout: PromptLayout } | undefined;

  function setNote(sentence: string): void {
    note = sentence;
    redraw();
  }

  function arrived(sentence: string | undefined): void {
    // A label may have changed while the text did not.
    laidOut = undefined;
    note = sentence;
    edited();
  }

  function edited(): void {
    vim?.settle();
    if (vim?.mode() === "normal") completion.close();
    else completion.update(buffer.text(), buffer.cursor());
    drafts.touch();
    redraw();
  }

  function edit(change: () => void): void {
    const before = buffer.text();
    change();
    if (buffer.text() !== before) walk.leave();
    edited();
  }

  /** Text that was sent before asks for no completions. From a long one, up goes on upwards at once, not row by row. */
  function showSent(text: string, direction?: -1 | 1): void {
    buffer.setText(text);
    const isLong = layoutOf(text).rowAt(text.length).start > 0;
    if (direction === -1 && isLong) buffer.moveTo(0);
    dismissCompletion();
    edited();
  }

  function dismissCompletion(): void {
    completion.dismiss(buffer.text(), buffer.cursor());
  }

  function draw(grapheme: string): string {
    return tokens.labelOf(String.fromCodePoint(grapheme.codePointAt(0) ?? 0)) ?? drawnGrapheme(grapheme);
  }

  function layoutOf(text: string): PromptLayout {
    if (laidOut?.text !== text || laidOut.columns !== columns) {
      laidOut = { text, columns, layout: createPromptLayout(text, columns, draw) };
    }
    return laidOut.layout;
  }

  function readDraft(): Draft {
    const before = buffer.text().slice(0, buffer.cursor());
    return { ...tokens.stored(buffer.text()), cursor: tokens.stored(before).text.length };
  }

  function stepHistory(direction: -1 | 1): boolean {
    const step = walk.step(direction, buffer.text());
    if (step === undefined) return false;
    showSent(step.kind === "entry" ? promptText(step.text) : step.text, direction);
    return true;
  }

  return {
    buffer,
    tokens,
    intake,
    completion,
    drafts,
    vimMode: () => vim?.mode(),
    handleVim(key) {
      if (vim === undefined) return "left to others";
      const before = buffer.text();
      const outcome = vim.handle(key);
      if (buffer.text() !== before) walk.leave();
      if (outcome === "taken") edited();
      return outcome;
    },
    setVim(isOn) {
      if (isOn === (vim !== undefined)) return;
      vim = isOn && parts.vim !== undefined ? createVimAdapter(parts.vim(), buffer) : undefined;
      edited();
    },
    search: () => search,
    note: () => note,
    layoutOf,
    setColumns(wanted) {
      columns = wanted;
    },
    readDraft,
    edit,
    act: (action) => edit(() => buffer.act(action)),
    moveRow(direction) {
      if (!buffer.moveRow(layoutOf(buffer.text()), direction)) return stepHistory(direction);
      edited();
      return true;
    },
    stepHistory,
    takeCompletion() {
      const popup = completion.popup();
      const item = popup?.items[popup.selected];
      if (popup === undefined || item === undefined) return;
      const range = { start: popup.question.start, end: buffer.cursor() };
      edit(() => buffer.replace(range, promptText(completedText(popup.question, item))));
    },
    closeCompletion() {
      dismissCompletion();
      redraw();
    },
    openSearch() {
      search = createHistorySearcher(parts.history);
      completion.close();
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
      else showSent(match.text);
    },
    clearNote() {
      if (note === undefined) return;
      note = undefined;
      redraw();
    },
    redraw,
    begin(text, cursor) {
      intake.cancel();
      walk.leave();
      search = undefined;
      note = undefined;
      vim?.reset();
      buffer.reset(text, withoutTokens);
      buffer.moveTo(cursor);
      completion.close();
      vim?.settle();
      redraw();
    },
  };
}
