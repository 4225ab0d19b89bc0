/** Cleans text that arrives in pieces: what may be the beginning of a control sequence waits for the rest of it. */
import { cleanText } from "../screen/clean-text.ts";

export interface CleanStream {
  /** What is certain by now, clean. */
  push(piece: string): string;
  /** What waited. */
  end(): string;
}

/** A sequence that is longer loses only its introducer, so that a broken one does not hold back a whole answer. */
const heldBackMax = 4096;

const unfinished = new RegExp(
  [
    // Commands with a text, whose end may be half there.
    "(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0000-\\u001f\\u007f-\\u009f]*\\u001b?",
    // Colours, cursor movement, modes.
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*",
    "\\u001b[ -/]*",
    // A line feed may follow.
    "\\r+",
    // The first half of a character.
    "[\\ud800-\\udbff]",
  ]
    .map((part) => `(?:${part})`)
    .join("|")
    .replace(/^(.*)$/s, "(?:$1)$"),
);

export function createCleanStream(): CleanStream {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      const from = Math.max(0, text.length - heldBackMax);
      const found = unfinished.exec(from === 0 ? text : text.slice(from));
      const cut = found === null ? text.length : from + found.index;
      held = text.slice(cut);
      return cleanText(text.slice(0, cut));
    },
    end() {
      const rest = cleanText(held);
      held = "";
      return rest;
    },
  };
}
