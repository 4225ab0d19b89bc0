/** What an import gives back, and what it needs from outside. */
import type { Fact } from "@kedge/protocol";
import type { JournalCheck } from "./journal-row.ts";

export type TranscriptFormat = "kedge" | "claude-code" | "codex" | "opencode";

/** Where the imported session lives from now on. Nothing of this is taken from the file. */
export type ImportParts = {
  readonly newId: (prefix: string) => string;
  readonly newRequestId: () => string;
  readonly now: () => number;
  readonly directory: string;
  readonly projectId: string;
  readonly model: string;
  readonly kedgeVersion: string;
  readonly boot: string;
};

export type Skipped = { readonly what: string; readonly count: number };

export type ImportReport = {
  readonly format: TranscriptFormat;
  /** The id the session had where it came from; empty when the file does not tell. */
  readonly sourceSessionId: string;
  readonly title: string;
  readonly prompts: number;
  readonly answers: number;
  readonly calls: number;
  /** In the order in which they were first met. */
  readonly skipped: readonly Skipped[];
  /** Sentences that a person should read before going on. */
  readonly notes: readonly string[];
  /** Present when the file came with a journal. */
  readonly journal?: JournalCheck;
};

export type ImportOutcome =
  | {
      readonly ok: true;
      /** The first is `session.created`; everything is closed, so that nothing runs when the session is opened. */
      readonly facts: readonly Fact[];
      /** When each of them happened where it came from, in milliseconds since the epoch. */
      readonly times: readonly number[];
      readonly report: ImportReport;
    }
  | { readonly ok: false; readonly sentence: string };

/** Counts what was left behind, by name. */
export type SkipCounter = { add(what: string, count?: number): void; list(): readonly Skipped[] };

export function createSkipCounter(): SkipCounter {
  const counts = new Map<string, number>();
  return {
    add: (what, count = 1) => void counts.set(what, (counts.get(what) ?? 0) + count),
    list: () => [...counts].map(([what, count]) => ({ what, count })),
  };
}
