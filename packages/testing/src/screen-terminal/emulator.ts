/** The screen a person would see: the emulator that reads what a program writes, and answers it as terminals do. */
import type { Terminal } from "@xterm/headless";
import { type Cell, readCells } from "./cells.ts";

export type Emulator = {
  /** `after` is called when the bytes are on the screen. */
  write(text: string, after: () => void): void;
  resize(columns: number, rows: number): void;
  /** Rows without the blanks at their ends. */
  screen(): readonly string[];
  cells(): readonly (readonly Cell[])[];
  state(): EmulatorState;
  close(): void;
};

export type EmulatorState = {
  readonly isAlternateScreen: boolean;
  readonly isBracketedPaste: boolean;
  readonly isFocusTold: boolean;
  readonly isMouseTaken: boolean;
  /** True in the middle of a frame: a terminal shows nothing of it until its end. */
  readonly isInFrame: boolean;
  readonly cursor: { readonly column: number; readonly row: number; readonly isShown: boolean };
};

type EmulatorOptions = {
  readonly columns: number;
  readonly rows: number;
  /** As `#rrggbb`; told to a program that asks. Without it the question stays open, as in terminals that do not know it. */
  readonly background?: string;
  /** What the terminal itself answers to a program. */
  readonly onAnswer: (sequence: string) => void;
};

const cursorMode = 25;

export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  // The package is CommonJS and only its default export is seen by Node.
  const { default: library } = await import("@xterm/headless");
  const terminal: Terminal = new library.Terminal({
    cols: options.columns,
    rows: options.rows,
    allowProposedApi: true,
    scrollback: 1_000,
  });
  let isCursorShown = true;
  terminal.onData(options.onAnswer);
  answerBackground(terminal, options);
  for (const final of ["h", "l"]) {
    terminal.parser.registerCsiHandler({ prefix: "?", final }, (parameters) => {
      if (parameters.includes(cursorMode)) isCursorShown = final === "h";
      return false;
    });
  }
  return {
    write: (text, after) => terminal.write(text, after),
    resize: (columns, rows) => terminal.resize(columns, rows),
    screen() {
      const buffer = terminal.buffer.active;
      return Array.from({ length: terminal.rows }, (_, row) => {
        return buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "";
      });
    },
    cells: () => readCells(terminal),
    state() {
      const { modes, buffer } = terminal;
      return {
        isAlternateScreen: buffer.active.type === "alternate",
        isBracketedPaste: modes.bracketedPasteMode,
        isFocusTold: modes.sendFocusMode,
        isMouseTaken: modes.mouseTrackingMode !== "none",
        isInFrame: modes.synchronizedOutputMode,
        cursor: { column: buffer.active.cursorX, row: buffer.active.cursorY, isShown: isCursorShown },
      };
    },
    close: () => terminal.dispose(),
  };
}

/** OSC 11 with a question mark; each part of the colour has four digits in the answer. */
function answerBackground(terminal: Terminal, { background, onAnswer }: EmulatorOptions): void {
  if (background === undefined) return;
  const parts = [1, 3, 5].map((start) => background.slice(start, start + 2).repeat(2));
  terminal.parser.registerOscHandler(11, (text) => {
    if (text !== "?") return false;
    onAnswer(`\u001b]11;rgb:${parts.join("/")}\u001b\\`);
    return true;
  });
}
