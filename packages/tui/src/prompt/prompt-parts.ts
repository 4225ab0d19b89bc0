/** What the prompt is given, and what it promises. */
import type { Media } from "@kedge/protocol";
import type { Input } from "../screen/input.ts";
import type { View } from "../screen/view.ts";
import type { ForegroundToken, Theme } from "../theme/theme.ts";
import type { StoredAttachment } from "./attachment-tokens.ts";
import type { Complete } from "./completion.ts";
import type { PromptHistory } from "./history.ts";
import type { PromptVimEngine, VimMode } from "./vim-adapter.ts";

/** The unsent text, plain data to be kept over a crash. `cursor` is an offset of `text`, in which labels stand for attachments. */
export type Draft = {
  readonly text: string;
  readonly cursor: number;
  readonly attachments: readonly StoredAttachment[];
};

/** The media of a dropped file, a sentence when it cannot be attached, or undefined when its path is just text. */
export type ReadAttachment = (path: string, signal: AbortSignal) => Promise<Media | string | undefined>;

export type PromptParts = {
  readonly theme: () => Theme;
  /** In milliseconds. */
  readonly now: () => number;
  readonly history: PromptHistory;
  readonly complete: Complete;
  readonly readAttachment: ReadAttachment;
  /** At most every 300 ms; undefined when there is nothing to keep any more. */
  readonly saveDraft: (draft: Draft | undefined) => void;
  /** Something may look otherwise now. */
  readonly onChange: () => void;
  /** Makes the engine when vim is switched on; without it there is no vim mode. */
  readonly vim?: () => PromptVimEngine;
};

export type Submission = { readonly text: string; readonly attachments: readonly Media[] };

export type Prompt = View & {
  /** False when it was not for the prompt: then it is the app's. Enter is always the app's, unless it makes a new line or takes a completion. */
  handle(input: Input): boolean;
  /** As it is shown, with the labels of attachments. */
  text(): string;
  /** Labels of attachments that are known become these attachments again. */
  setText(text: string): void;
  insert(text: string): void;
  /** Attaches what did not come by a path, such as a picture of the clipboard. */
  attach(media: Media): void;
  /** Can be taken back. */
  clear(): void;
  isEmpty(): boolean;
  /** Completions or the search in the history; Escape closes them first. */
  isPopupOpen(): boolean;
  vimMode(): VimMode | undefined;
  setVim(isOn: boolean): void;
  /** Shown while there is no text. */
  setHint(hint: string | undefined): void;
  setBorder(token: ForegroundToken, label?: string): void;
  /** The text to send, with pasted text in full. It goes into the history, and the prompt is empty after it. */
  takeSubmission(): Submission;
  draft(): Draft;
  restore(draft: Draft): void;
  /** Saves a draft that waits to be saved. */
  flush(): void;
  /** Saves the draft, and stops everything that was asked for. */
  close(): void;
};
