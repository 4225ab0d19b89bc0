/** What the shortening of conversations is given from outside, and the outcome that it gives back. */
import type { Cost, Failure, PrintHistory, PrintSettings, Usage } from "@kedge/protocol";
import type { CompactionSettings } from "../window/settings.ts";

export type FileForContext = {
  readonly text: string;
  /** As file tools compute it, so that a file that is shown again may be edited. */
  readonly contentHash: string;
};

export type RemoteSummary = (
  request: { readonly systemPrompt: string; readonly prompt: string },
  signal: AbortSignal,
) => Promise<{ readonly ok: true; readonly summary: string } | { readonly ok: false; readonly failure: Failure }>;

export type CompactionParts = {
  /** What is not given has its default. */
  readonly settings?: Partial<CompactionSettings>;
  /** What whoever sums up is told. */
  readonly system?: () => Promise<string>;
  /** The model that sums up; without it the one that works. */
  readonly model?: string;
  /** A model with a larger window, which takes over in a run before its conversation is shortened. */
  readonly promotionModel?: string | undefined;
  /** The threshold in percent of the window, before any setting. */
  readonly thresholdPercent?: number;
  /** The present text of a file; undefined when it is gone or no text. No file is shown again without it. */
  readonly readFile?: (path: string) => Promise<FileForContext | undefined>;
  /** Prints history on pictures; it is summed up in words without it. */
  readonly printHistory?: PrintHistory;
  readonly snapcompact?: PrintSettings;
  /** Sums up elsewhere; tried before any model. */
  readonly remoteSummary?: RemoteSummary;
};

/** What a shortening cost, whether it succeeded or not. */
export type Spending = { readonly usage: Usage; readonly cost: Cost; readonly model?: string };

export type CompactionOutcome =
  | ({
      readonly kind: "compacted";
      readonly shortSummary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    } & Spending)
  /** There is nothing that a summary could stand for. */
  | { readonly kind: "nothing" }
  | { readonly kind: "aborted" }
  | ({ readonly kind: "failed"; readonly failure: Failure } & Spending);
