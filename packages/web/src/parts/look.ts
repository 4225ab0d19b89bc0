/** What every part is drawn with: the colours of code, where paths begin, and what a running call wrote so far. */
import type { OutputLine } from "@kedge/protocol";
import { createHighlighter, type Highlighter } from "@kedge/tui/drawing";

export type Look = {
  readonly highlight: Highlighter;
  /** Paths below it are shown without it. */
  readonly directory?: string;
  /** The newest lines of a running call. */
  readonly tailOf?: (callId: string) => readonly OutputLine[] | undefined;
  /** What a call was given, word for word, stands below its result: in a page that is kept. */
  readonly hasInputs?: boolean;
  /** The address of a file of the project, where there is a page that shows it. */
  readonly fileHref?: (path: string, line?: number) => string;
  /** The address of another session, such as that of an agent. */
  readonly sessionHref?: (sessionId: string) => string;
};

export function createLook(options: Partial<Look> = {}): Look {
  return { highlight: createHighlighter(), ...options };
}
