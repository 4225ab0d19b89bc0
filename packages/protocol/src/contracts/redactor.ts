/** The Redactor contract: takes secrets out of text before it reaches a model, an event, a log or the disk. */

export interface Redactor {
  /** The same text with `[REDACTED:<kind>]` in place of each secret; the text itself where there is none. */
  redact(text: string): string;
  /** For text that arrives in pieces, one per stream. */
  open(): RedactionStream;
}

export interface RedactionStream {
  /** What can be passed on; what may be part of a secret waits for the next piece. */
  write(chunk: string): string;
  /** The rest. */
  end(): string;
}

/** What stands in the place of a secret. */
export const redactionMark: RegExp = /\[REDACTED:[a-z0-9-]{1,40}\]/g;
