/** Makes readable lines of raw output: no terminal control, no secrets, only the last state of progress lines, no endless columns. */
import type { Redactor } from "@kedge/protocol";
import { createTerminalTextFilter } from "./terminal-text-filter.ts";

type Stream = "stdout" | "stderr";

const streams: readonly Stream[] = ["stdout", "stderr"];

export type OutputLinesOptions = {
  /**
   * A piece of the text. `shown` has overlong lines cut, `full` has not. One call holds whole lines, or a part of one.
   */
  readonly onText: (shown: string, full: string, stream: Stream) => void;
  /** Before anything is cut, because half a secret is no longer known as one; nothing is taken out without it. */
  readonly redactor?: Redactor | undefined;
};

export type OutputLines = {
  /** Gives what can be shown live: without terminal control, and without what may be the beginning of a secret. */
  write(chunk: string, stream: Stream): string;
  /** Releases a line that has not ended yet. */
  flush(): void;
  /** Nothing more comes: releases what waited, and gives what can be shown live of it. */
  end(): readonly { readonly text: string; readonly stream: Stream }[];
};

const columnsMax = 768;
/** How much of an unfinished line waits for its end, because a carriage return may replace it. */
const heldCharactersMax = 16_384;

export function createOutputLines({ onText, redactor }: OutputLinesOptions): OutputLines {
  const filters = { stdout: createTerminalTextFilter(), stderr: createTerminalTextFilter() };
  const redactions = redactor && { stdout: redactor.open(), stderr: redactor.open() };
  let stream: Stream = "stdout";
  /** The unfinished line, as far as it was not passed on. */
  let held = "";
  /** Characters of the unfinished line that were shown already, and those that were not. */
  let column = 0;
  let omitted = 0;

  /** Passes on a part of a line. */
  function pass(part: string): void {
    const room = omitted > 0 ? 0 : columnsMax - column;
    const shown = part.length <= room ? part : firstCharacters(part, room);
    column += shown.length;
    omitted += part.length - shown.length;
    if (part !== "") onText(shown, part, stream);
  }

  function passOmission(): void {
    if (omitted > 0) onText(`[… ${omitted} characters]`, "", stream);
    omitted = 0;
  }

  function passEnd(): void {
    passOmission();
    onText("\n", "\n", stream);
    column = 0;
  }

  /** What a terminal would show of a line: the text after the last carriage return that something follows. */
  function passVisible(line: string): void {
    const text = withoutReturnsAtEnd(line);
    const last = text.lastIndexOf("\r");
    // What was passed on cannot be replaced any more, so the new state becomes a line of its own.
    if (last !== -1 && column > 0) passEnd();
    pass(text.slice(last + 1));
  }

  function releaseHeld(): void {
    passVisible(held);
    held = held.endsWith("\r") ? "\r" : "";
  }

  function passLines(block: string): void {
    if (column === 0 && !block.includes("\r") && !hasLongLine(block)) {
      onText(block, block, stream);
      return;
    }
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf("\n", start);
      passVisible(block.slice(start, end));
      passEnd();
      start = end + 1;
    }
  }

  function take(text: string, source: Stream): void {
    if (text === "") return;
    if (source !== stream) {
      if (held !== "") releaseHeld();
      stream = source;
    }
    const lastEnd = text.lastIndexOf("\n");
    if (lastEnd !== -1) {
      const block = (held + text.slice(0, lastEnd + 1)).replaceAll("\r\n", "\n");
      held = "";
      passLines(block);
    }
    held += lastEnd === -1 ? text : text.slice(lastEnd + 1);
    if (held.length > heldCharactersMax) releaseHeld();
  }

  function flush(): void {
    releaseHeld();
    passOmission();
  }

  return {
    write(chunk, source) {
      const clean = filters[source](chunk);
      const text = redactions === undefined ? clean : redactions[source].write(clean);
      take(text, source);
      return text;
    },
    flush,
    end() {
      const rest =
        redactions === undefined ? [] : streams.map((each) => ({ text: redactions[each].end(), stream: each }));
      for (const { text, stream: source } of rest) take(text, source);
      flush();
      return rest;
    },
  };
}

/** Looks only at every 768th character or so, because most output has short lines. */
function hasLongLine(block: string): boolean {
  for (let start = 0; block.length - start > columnsMax; ) {
    const end = block.lastIndexOf("\n", start + columnsMax);
    if (end < start) return true;
    start = end + 1;
  }
  return false;
}

/** By hand: a pattern would try again at each of a thousand returns. */
function withoutReturnsAtEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return line.slice(0, end);
}

/** Never parts the two halves of a surrogate pair. */
function firstCharacters(text: string, count: number): string {
  const code = text.charCodeAt(count - 1);
  return text.slice(0, count > 0 && code >= 0xd800 && code <= 0xdbff ? count - 1 : count);
}
