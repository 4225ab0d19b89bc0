/** Starts a shell on a terminal of its own, for programs that want one, and links it to a screen. */
import { constants } from "node:os";
import { openUntilExit, type PtyLibrary, type PtyProcess, tiedStart } from "@kedge/protocol";
import { plainStart } from "./confined-start.ts";
import { openPipedShell } from "./piped-shell.ts";
import type { ShellCommand, ShellProblem, ShellProcess } from "./shell-command.ts";

/** A screen that shows terminals and passes on what a person types. Keys are stored nowhere. */
interface PtyLink {
  opened(callId: string, terminal: LinkedTerminal): void;
}

export interface LinkedTerminal {
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Ends the command as the user's abort does. */
  kill(): void;
  /** Raw output from now on, for a terminal emulator. */
  onData(listener: (data: string) => void): void;
}

export type PtyParts = {
  /** Whether somebody is there to look at a terminal. */
  readonly available: () => boolean;
  readonly link?: PtyLink;
  /** Called by the first call that wants a terminal. */
  readonly load: () => Promise<PtyLibrary>;
};

export type TerminalCall = {
  readonly callId: string;
  /** Told in words when the terminal cannot be had; the command runs without one then. */
  readonly onProblem: (line: string) => void;
};

export type OpenedTerminal = {
  readonly open: (command: ShellCommand) => ShellProcess | ShellProblem;
  /** Aborted when the user ends the command on the screen. */
  readonly signal: AbortSignal;
};

const terminalName = "xterm-256color";
const columns = 120;
const rows = 40;

/** Loaded at the first call that wants a terminal. Undefined when it cannot be loaded. */
export async function prepareTerminal(parts: PtyParts, call: TerminalCall): Promise<OpenedTerminal | undefined> {
  const tell = (error: unknown) => call.onProblem(`PTY error: ${error instanceof Error ? error.message : error}\n`);
  let library: PtyLibrary;
  try {
    library = await parts.load();
  } catch (error) {
    // An optional package with a native part: it may be missing or made for another machine, in many ways.
    tell(error);
    return undefined;
  }
  const killed = new AbortController();
  return {
    signal: killed.signal,
    open(command) {
      try {
        const pty = startTerminal(library, command);
        const shell = createTerminalShell(pty, tell);
        parts.link?.opened(
          call.callId,
          shell.linked(() => killed.abort()),
        );
        return shell;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        tell(error);
        return openPipedShell(command);
      }
    },
  };
}

function startTerminal(library: PtyLibrary, command: ShellCommand): PtyProcess {
  const start = command.start ?? plainStart(command, { kind: "terminal" });
  const env = { TERM: terminalName, ...start.environment };
  const { file, args } = tiedStart(start, start.environment);
  const pty = library.spawn(file, [...args], {
    name: env.TERM,
    cols: columns,
    rows,
    cwd: command.cwd,
    env,
  });
  return openUntilExit(pty);
}

function createTerminalShell(pty: PtyProcess, onError: (error: Error) => void) {
  const toLineFeeds = createLineFeeds();
  const watchers: ((data: string) => void)[] = [];
  let isOver = false;
  let flushRest: () => void = () => undefined;
  // Without a listener of ours the library throws where nobody can catch.
  pty.on("error", (error) => {
    // A terminal whose last process has gone ends with this; it is how reading ends here.
    if (!("code" in error && error.code === "EIO")) onError(error);
  });

  const shell: ShellProcess = {
    pid: pty.pid,
    listen({ onOutput, onExit, onEnd, onClose }) {
      const pass = (text: string) => {
        if (text !== "" && !isOver) onOutput(text, "stdout");
      };
      flushRest = () => pass(toLineFeeds("", { isLast: true }));
      pty.onData((data) => {
        for (const watcher of watchers) watcher(data);
        pass(toLineFeeds(data));
      });
      // It comes after all output.
      pty.onExit(({ exitCode, signal = 0 }) => {
        onExit(signal === 0 ? exitCode : null, signalName(signal));
        onEnd();
        onClose();
      });
    },
    directory: () => undefined,
    flush: () => flushRest(),
    release() {
      isOver = true;
    },
  };
  return {
    ...shell,
    linked: (kill: () => void): LinkedTerminal => ({
      write(keys) {
        if (!isOver) pty.write(keys);
      },
      resize(newColumns, newRows) {
        if (!isOver) pty.resize(Math.max(1, newColumns), Math.max(1, newRows));
      },
      kill,
      onData: (listener) => void watchers.push(listener),
    }),
  };
}

/**
 * A carriage return at the end of a piece waits, because a line feed may follow it. A terminal adds one of its own to
 * those that a program prints before a line feed.
 */
function createLineFeeds(): (data: string, options?: { readonly isLast: true }) => string {
  let held = "";
  return (data, options) => {
    const text = held + data;
    held = options === undefined ? (/\r{0,2}$/.exec(text)?.[0] ?? "") : "";
    return text.slice(0, text.length - held.length).replaceAll(/\r{0,2}\n|\r/g, "\n");
  };
}

function signalName(number: number): string | null {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}
