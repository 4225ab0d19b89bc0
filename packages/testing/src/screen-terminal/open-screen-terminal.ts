/** A program in a terminal of its own: typed into as a person does, and looked at as a person sees it. */
import { isProcessBusy } from "../processes/is-process-busy.ts";
import type { Cell } from "./cells.ts";
import { createEmulator, type EmulatorState } from "./emulator.ts";
import { clickSequence, focusSequence, pasteSequence, wheelSequence } from "./gesture-sequences.ts";
import { keySequence } from "./key-sequences.ts";
import { createScreenWaits, type ScreenWaits } from "./screen-waits.ts";
import { createTypedBytes } from "./typed-bytes.ts";

type ScreenTerminalOptions = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** All that the program gets, beside the names of the terminal itself. */
  readonly environment: { readonly [name: string]: string };
  readonly columns?: number;
  readonly rows?: number;
  /** As `#rrggbb`; told to a program that asks. */
  readonly background?: string;
};

export interface ScreenTerminal extends Pick<ScreenWaits, "shows" | "until" | "settled"> {
  readonly pid: number;
  /** As if each character were typed; a lone escape needs `press`, and something to wait for before the next key. */
  type(text: string): void;
  /** By its name: `enter`, `ctrl+c`, `alt+enter`, `shift+tab`, `pageUp`. */
  press(key: string): void;
  /** Between the marks of a paste where the program asked for them. */
  paste(text: string): void;
  /** Column and row are counted from 0, as in `screen()`. */
  click(column: number, row: number): void;
  /** Over the middle of the screen; downwards when positive. */
  wheel(notches: number): void;
  resize(columns: number, rows: number): void;
  focus(isIn: boolean): void;
  /** Rows without the blanks at their ends. */
  screen(): readonly string[];
  cells(): readonly (readonly Cell[])[];
  state(): EmulatorState;
  /** Resolves when the program has read everything typed so far, or the system keeps the rest for it. */
  taken(): Promise<void>;
  /** All that was ever written to the terminal. */
  written(): string;
  /** A place in what was written, for `bytesSince`. */
  mark(): number;
  bytesSince(mark: number): number;
  /** Called for every piece that the program writes, before it is drawn. Returns what ends it. */
  onWrite(listener: (text: string) => void): () => void;
  /** The exit code; 128 and the number of the signal for a program that was killed. */
  ended(): Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** Takes nothing of what the program writes any more, as a dead connection does. */
  freeze(): void;
  /** The window is closed: the program has no terminal any more, and is told so by the system. */
  hangUp(): void;
  /** Ends the program if it still runs. Safe to call twice. */
  close(): Promise<void>;
}

const sizeDefault = { columns: 80, rows: 24 };
const signalExitBase = 128;

export async function openScreenTerminal(options: ScreenTerminalOptions): Promise<ScreenTerminal> {
  const { columns = sizeDefault.columns, rows = sizeDefault.rows } = options;
  // Before the program starts, because what it writes while nobody listens is lost.
  const emulator = await createEmulator({
    ...{ columns, rows, onAnswer: (sequence) => input.write(sequence) },
    ...(options.background !== undefined && { background: options.background }),
  });
  const pty = await spawn(options, { columns, rows });
  let exitCode: number | undefined;
  let isHungUp = false;
  let size = { columns, rows };
  const pieces: string[] = [];
  let bytes = 0;
  const waits = createScreenWaits(emulator, {
    exitCode: () => exitCode,
    bytes: () => bytes,
    isBusy: () => exitCode === undefined && isProcessBusy(pty.pid),
  });
  const writeListeners = new Set<(text: string) => void>();
  const exited = Promise.withResolvers<number>();
  const input = createTypedBytes({
    // The library keeps its file here and declares it nowhere; the package is pinned.
    fileDescriptor: (pty as unknown as { readonly fd: number }).fd,
    isOpen: () => exitCode === undefined,
  });
  pty.onData((text) => {
    pieces.push(text);
    bytes += Buffer.byteLength(text);
    for (const listener of writeListeners) listener(text);
    emulator.write(text, waits.look);
  });
  pty.onExit(({ exitCode: code, signal = 0 }) => {
    exitCode = signal === 0 ? code : signalExitBase + signal;
    input.close();
    emulator.write("", () => {
      exited.resolve(exitCode ?? 0);
      waits.look();
    });
  });

  return {
    pid: pty.pid,
    type: (text) => input.write(text),
    press: (key) => input.write(keySequence(key)),
    paste: (text) => input.write(pasteSequence(text, emulator.state())),
    click: (column, row) => input.write(clickSequence(column, row)),
    wheel: (notches) => input.write(wheelSequence(notches, size)),
    resize(newColumns, newRows) {
      size = { columns: newColumns, rows: newRows };
      emulator.resize(newColumns, newRows);
      if (exitCode === undefined) pty.resize(newColumns, newRows);
    },
    focus: (isIn) => input.write(focusSequence(isIn, emulator.state())),
    screen: emulator.screen,
    cells: emulator.cells,
    state: emulator.state,
    until: waits.until,
    shows: waits.shows,
    settled: waits.settled,
    taken: input.taken,
    written: () => pieces.join(""),
    mark: () => bytes,
    bytesSince: (mark) => bytes - mark,
    onWrite(listener) {
      writeListeners.add(listener);
      return () => writeListeners.delete(listener);
    },
    ended: () => exited.promise,
    kill(signal) {
      if (exitCode === undefined) killWhereThere(pty.pid, signal);
    },
    freeze: () => pty.pause(),
    hangUp() {
      // Declared nowhere; the package is pinned.
      (pty as unknown as { destroy(): void }).destroy();
      isHungUp = true;
    },
    async close() {
      // The library tells nothing more of one that was hung up; the system has ended it.
      if (!isHungUp) {
        if (exitCode === undefined) killWhereThere(pty.pid, "SIGKILL");
        await exited.promise;
      }
      emulator.close();
    },
  };
}

/** The library collects a process first, and tells of its exit when all its output was read. */
function killWhereThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function spawn(options: ScreenTerminalOptions, { columns, rows }: { columns: number; rows: number }) {
  const { default: library } = await import("@lydell/node-pty");
  const pty = library.spawn(options.command, [...options.arguments], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: options.cwd,
    env: { TERM: "xterm-256color", COLORTERM: "truecolor", LANG: "C.UTF-8", ...options.environment },
  });
  // The library throws where nobody can catch unless somebody listens; the exit that follows says all.
  (pty as unknown as { on(event: "error", listener: () => void): void }).on("error", () => undefined);
  return pty;
}
