/** What the screen is given, and what it tells. */
import type { Input, Mouse } from "./input.ts";
import type { Terminal } from "./process-terminal.ts";
import type { View } from "./view.ts";

export type ScreenParts = {
  readonly terminal: Terminal;
  readonly transcript: View;
  readonly footer: View;
  readonly sidebar: View & { readonly isShown: () => boolean };
  /** Drawn where the end of the transcript is out of sight. */
  readonly endHint: () => string;
  readonly mouse: boolean;
  readonly wheelLines: number;
  readonly hardwareCursor: boolean;
};

/** Told of what the user does and comes to see. */
export type ScreenListener = {
  readonly onInput: (input: Input) => void;
  /** A frame was drawn that begins with the first line of the transcript, and has more lines than there is room for. */
  readonly onTop: () => void;
  /** Clicks on the transcript, with the line from its beginning on. */
  readonly onTranscriptClick: (line: number, column: number) => void;
  readonly onFooterMouse: (mouse: Mouse) => void;
};

export type Over = {
  readonly widthWished: number;
  readonly placement: "center" | "bottom";
  /** Framed lines, at most `height` of them. */
  render(width: number, height: number): readonly string[];
  mouse(mouse: Mouse): void;
};
