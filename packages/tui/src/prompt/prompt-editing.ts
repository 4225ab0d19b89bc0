/** What can be done in the prompt, by keys or by the app, and everything that follows from an edit. */
import type { Key } from "../screen/input.ts";
import { type AttachmentIntake, createAttachmentIntake } from "./attachment-intake.ts";
import { type AttachmentTokens, createAttachmentTokens } from "./attachment-tokens.ts";
import { type Completion, createCompletion } from "./completion.ts";
import { completedText } from "./completion-question.ts";
import { createDraftSaver, type DraftSaver } from "./draft-saver.ts";
import { promptText, withoutTokens } from "./input-text.ts";
import { createPromptLayouts, type PromptLayouts } from "./prompt-layouts.ts";
import type { Draft, PromptParts } from "./prompt-parts.ts";
import { createSentTexts, type SentTexts } from "./sent-texts.ts";
import { type BufferAction, createTextBuffer, type TextBuffer } from "./text-buffer.ts";
import { createVimAdapter, type VimAdapter, type VimMode, type VimOutcome } from "./vim-adapter.ts";

export type PromptEditing = SentTexts &
  PromptLayouts & {
    readonly buffer: TextBuffer;
    readonly tokens: AttachmentTokens;
    readonly intake: AttachmentIntake;
    readonly completion: Completion;
    readonly drafts: DraftSaver;
    vimMode(): VimMode | undefined;
    handleVim(key: Key): VimOutcome;
    setVim(isOn: boolean): void;
    note(): string | undefined;
    readDraft(): Draft;
    restoreDraft(draft: Draft): void;

    /** Runs a change of the text or of the cursor, and what has to follow it. */
    edit(change: () => void): void;
    act(action: BufferAction): void;
    moveRow(direction: -1 | 1): boolean;
    takeCompletion(): void;
    closeCompletion(): void;
    clearNote(): void;
    /** Something looks otherwise and the text is the same. */
    redraw(): void;
    /** Begins again with a text and the place in it. */
    begin(text: string, cursor: number): void;
  };

export function createPromptEditing(parts: PromptParts, redraw: () => void): PromptEditing {
  const buffer = createTextBuffer({ now: parts.now });
  const tokens = createAttachmentTokens();
  const layouts = createPromptLayouts(tokens);
  const drafts = createDraftSaver<Draft>(parts.saveDraft, () => (buffer.text() === "" ? undefined : readDraft()));
  const completion = createCompletion({ complete: parts.complete, onChange: redraw, onFailure: setNote });
  const intake = createAttachmentIntake({ buffer, tokens, readAttachment: parts.readAttachment, onArrived: arrived });
  const past = createSentTexts({
    ...{ history: parts.history, buffer, layoutOf: layouts.layoutOf, redraw },
    onSearch: completion.close,
    // Text that was sent before asks for no completions.
    onShown() {
      dismissCompletion();
      edited();
    },
  });
  let vim: VimAdapter | undefined;
  let note: string | undefined;

  function setNote(sentence: string): void {
    note = sentence;
    redraw();
  }

  function arrived(sentence: string | undefined): void {
    // A label may have changed while the text did not.
    layouts.forget();
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
    if (buffer.text() !== before) past.leave();
    edited();
  }

  function dismissCompletion(): void {
    completion.dismiss(buffer.text(), buffer.cursor());
  }

  function readDraft(): Draft {
    const before = buffer.text().slice(0, buffer.cursor());
    return { ...tokens.stored(buffer.text()), cursor: tokens.stored(before).text.length };
  }

  function begin(text: string, cursor: number): void {
    intake.cancel();
    past.end();
    note = undefined;
    vim?.reset();
    buffer.reset(text, withoutTokens);
    buffer.moveTo(cursor);
    completion.close();
    vim?.settle();
    redraw();
  }

  return {
    ...{ buffer, tokens, intake, completion, drafts, ...layouts, ...past },
    vimMode: () => vim?.mode(),
    handleVim(key) {
      if (vim === undefined) return "left to others";
      const before = buffer.text();
      const outcome = vim.handle(key);
      if (buffer.text() !== before) past.leave();
      if (outcome === "taken") edited();
      return outcome;
    },
    setVim(isOn) {
      if (isOn === (vim !== undefined)) return;
      vim = isOn && parts.vim !== undefined ? createVimAdapter(parts.vim(), buffer) : undefined;
      edited();
    },
    note: () => note,
    readDraft,
    restoreDraft({ text, cursor, attachments }) {
      tokens.restore(attachments);
      const before = tokens.tokenised(promptText(text.slice(0, cursor)));
      begin(before + tokens.tokenised(promptText(text.slice(cursor))), before.length);
    },
    edit,
    act: (action) => edit(() => buffer.act(action)),
    moveRow(direction) {
      if (!buffer.moveRow(layouts.layoutOf(buffer.text()), direction)) return past.stepHistory(direction);
      edited();
      return true;
    },
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
    clearNote() {
      if (note === undefined) return;
      note = undefined;
      redraw();
    },
    redraw,
    begin,
  };
}
