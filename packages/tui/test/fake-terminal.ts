/** A terminal in memory: keeps every piece that was written, and shows what a person would see of it. */
import xterm from "@xterm/headless";
import type { Terminal } from "../src/screen/process-terminal.ts";

export interface FakeTerminal extends Terminal {
  /** As if the terminal had sent it. */
  send(sequence: string): void;
  resize(columns: number, rows: number): void;
  /** Every piece in its order, since the last `forget`. */
  readonly pieces: readonly string[];
  forget(): void;
  /** Rows without the blanks at their ends, after everything written so far. */
  screen(): Promise<readonly string[]>;
  /** Whether keys come one by one, as between start and stop. */
  readonly isRaw: boolean;
  close(): void;
}

const bracketedPaste = { on: "\u001b[?2004h", off: "\u001b[?2004l" };
const keyboardProtocol = { on: "\u001b[>7u\u001b[?u\u001b[c", off: "\u001b[<u" };

export type TerminalSize = { readonly columns: number; readonly rows: number };

/** Without an emulator it is faster, and has no screen. */
export function createFakeTerminal(size: TerminalSize, { isShown = true } = {}): FakeTerminal {
  let { columns, rows } = size;
  const emulator = isShown
    ? new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100 })
    : undefined;
  let pieces: string[] = [];
  let isRaw = false;
  let onInput = (_: string) => {};
  let onResize = () => {};
  const write = (text: string) => {
    pieces.push(text);
    emulator?.write(text);
  };
  return {
    start(inputListener, resizeListener) {
      isRaw = true;
      onInput = inputListener;
      onResize = resizeListener;
      write(bracketedPaste.on + keyboardProtocol.on);
    },
    stop() {
      isRaw = false;
      onInput = () => {};
      onResize = () => {};
      write(bracketedPaste.off + keyboardProtocol.off);
    },
    drainInput: async () => {},
    write,
    get columns() {
      return columns;
    },
    get rows() {
      return rows;
    },
    kittyProtocolActive: false,
    moveBy: (lines) => write(`\u001b[${Math.abs(lines)}${lines > 0 ? "B" : "A"}`),
    hideCursor: () => write("\u001b[?25l"),
    showCursor: () => write("\u001b[?25h"),
    clearLine: () => write("\u001b[K"),
    clearFromCursor: () => write("\u001b[J"),
    clearScreen: () => write("\u001b[2J\u001b[H"),
    setTitle: (title) => write(`\u001b]0;${title}\u0007`),
    setProgress: () => {},
    send: (sequence) => onInput(sequence),
    resize(newColumns, newRows) {
      columns = newColumns;
      rows = newRows;
      emulator?.resize(columns, rows);
      onResize();
    },
    get pieces() {
      return pieces;
    },
    forget() {
      pieces = [];
    },
    async screen() {
      if (emulator === undefined) throw new Error("this terminal has no screen");
      await new Promise<void>((resolve) => emulator.write("", resolve));
      const { active } = emulator.buffer;
      return Array.from(
        { length: rows },
        (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
      );
    },
    get isRaw() {
      return isRaw;
    },
    close: () => emulator?.dispose(),
  };
}
