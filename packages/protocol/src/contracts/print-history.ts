/** How the engine has history printed on pictures; the printer itself lives elsewhere. */
import type { Media } from "../content.ts";
import type { PictureArchive } from "../facts/fact-words.ts";
import type { ConversationItem } from "../facts/session-state.ts";

export type HistoryToPrint = {
  readonly items: readonly ConversationItem[];
  /** What an earlier pass printed. */
  readonly previous?: PictureArchive & { readonly frames: readonly Media[] };
  /** A summary in words that stands for what came before the items. */
  readonly earlierSummary?: string;
};

export type PrintOptions = {
  /** `wire` is the name of the protocol that carries the request, where it is known. */
  readonly model: { readonly id: string; readonly provider: string; readonly wire?: string };
  /** Pixels cannot be searched for secrets later, so every text passes through here first. */
  readonly redact: (text: string) => string;
  readonly settings?: PrintSettings;
};

/** What is not given suits the model. */
export type PrintSettings = {
  /** The name of a layout, whatever the model. */
  readonly shape?: string;
  /** No request has more pictures of the history, and never more than the vendor takes. */
  readonly framesMax?: number;
  /** Of one result, one value in the input of a call, and one call. */
  readonly resultCharactersMax?: number;
  readonly valueCharactersMax?: number;
  readonly callCharactersMax?: number;
};

export type PrintedHistory = {
  /** How to read the frames, and what follows them as text. */
  readonly guide: string;
  readonly frames: readonly Media[];
  readonly archive: PictureArchive;
  /** What the vendor bills for the frames. */
  readonly frameTokens: number;
};

/** Undefined where too much of the history has no printable form. */
export type PrintHistory = (history: HistoryToPrint, options: PrintOptions) => Promise<PrintedHistory | undefined>;
