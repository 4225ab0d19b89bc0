/** One terminal of the user: its program, its output, and those who watch it. */
import { setTimeout as sleep } from "node:timers/promises";
import { openUntilExit, type PtyLibrary, type PtyProcess, type TerminalSummary, tiedStart } from "@kedge/protocol";
import { endProcesses, isProcessThere, terminalVariable } from "./end-processes.ts";
import { createInputQueue } from "./input-queue.ts";
import { createOutputRing } from "./output-ring.ts";
import { createTerminalClients, type TerminalClients, type TerminalSink } from "./terminal-clients.ts";

export type TerminalStart = {
  readonly ptyId: string;
  /** As it is shown. */
  readonly command: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  readonly columns: number;
  readonly rows: number;
  readonly environment: { readonly [name: string]: string };
};

export type TerminalParts = {
  readonly library: PtyLibrary;
  readonly now: () => number;
  readonly onExit: () => void;
  /** How long a program waits for a client that takes nothing. */
  readonly stuckMs: number;
};

export interface Terminal {
  summary(): TerminalSummary;
  /** The end of the output, as the program wrote it. */
  screen(): string;
  clients(): number;
  /** When it last had a client, wrote something or ended. */
  usedAt(): number;
  attach(sink: TerminalSink, cursor: number | undefined): Attachment;
  /** Ends all that runs in it, and is there when nothing is left. */
  end(): Promise<void>;
}

/** What a client can do to a terminal. All of it does nothing once the terminal ended. */
export interface Attachment {
  /** False when so much waits that the client should stop until `TerminalSink.wake`. */
  write(bytes: Uint8Array): boolean;
  resize(columns: number, rows: number): void;
  /** More output is wanted, after `TerminalSink.write` gave false. */
  resume(): void;
  leave(): void;
}

export const ringBytes = 2 * 1024 * 1024;
const screenBytesMax = 64 * 1024;
const terminalName = "xterm-256color";
const heldLookMs = 50;
const signalExitBase = 128;
/** The word that a killed program ended comes at once, but never for one that hangs in the kernel. */
const exitMsMax = 1_000;

/** Throws when the system has no terminal to give. */
export function startTerminal(start: TerminalStart, { library, now, onExit, stuckMs }: TerminalParts): Terminal {
  const { ptyId, command, directory } = start;
  const startedAt = now();
  const ring = createOutputRing(ringBytes);
  const clients = createTerminalClients(ring);
  const pty = spawn(library, start);
  const { promise: exited, resolve: resolveExited } = Promise.withResolvers<void>();
  let size = { columns: start.columns, rows: start.rows };
  let usedAt = startedAt;
  let exitCode: number | undefined;
  let ending: Promise<void> | undefined;

  const isOpen = () => exitCode === undefined && !pty._socket.destroyed;
  const input = createInputQueue({ fileDescriptor: pty.fd, isOpen, onDrain: clients.wake });
  const flow = createFlow(pty, clients, stuckMs);

  pty.onData((data) => {
    ring.append(Buffer.from(data, "latin1"));
    usedAt = now();
    clients.pump();
    flow.look();
  });
  pty.onExit(({ exitCode: code, signal = 0 }) => {
    exitCode = signal === 0 ? code : signalExitBase + signal;
    usedAt = now();
    flow.close();
    input.close();
    clients.end(exitCode);
    resolveExited();
    onExit();
  });

  return {
    summary: () => ({
      ...{ ptyId, command, directory, ...size, startedAt, cursor: ring.end() },
      ...(exitCode !== undefined && { exitCode }),
    }),
    screen: () => textOf(ring, screenBytesMax),
    clients: clients.count,
    usedAt: () => usedAt,
    attach(sink, cursor) {
      const client = clients.add(sink, cursor);
      return {
        write: (bytes) => input.write(bytes),
        resize(columns, rows) {
          if (!isOpen()) return;
          pty.resize(columns, rows);
          size = { columns, rows };
        },
        resume() {
          client.resume();
          flow.look();
        },
        leave() {
          client.leave();
          usedAt = now();
          flow.look();
        },
      };
    },
    async end() {
      flow.close();
      ending ??= endProcesses({ pid: pty.pid, mark: ptyId });
      await ending;
      await Promise.race([exited, sleep(exitMsMax, undefined, { ref: false })]);
    },
  };
}

function spawn(library: PtyLibrary, start: TerminalStart): PtyProcess {
  const { file, args } = tiedStart({ file: start.program, args: start.arguments }, start.environment);
  const pty = library.spawn(file, [...args], {
    name: terminalName,
    cols: start.columns,
    rows: start.rows,
    cwd: start.directory,
    env: { ...start.environment, [terminalVariable]: start.ptyId },
  });
  openUntilExit(pty);
  // One letter for each byte: output need not be text. Asked for at the start, the terminal would take input for Latin.
  pty.setEncoding("latin1");
  // Without a listener of ours the library throws where nobody can catch; the exit that follows says all we need.
  pty.on("error", () => undefined);
  return pty;
}

/** Lets the program wait while a client cannot keep up, but not for one that takes nothing. */
function createFlow(
  pty: PtyProcess,
  clients: Pick<TerminalClients, "isHolding" | "startWaiting" | "giveUpOnStuck">,
  stuckMs: number,
): { look(): void; close(): void } {
  let held: { readonly timer: NodeJS.Timeout; forMs: number } | undefined;
  let isClosed = false;

  function release(): void {
    if (held === undefined) return;
    clearInterval(held.timer);
    held = undefined;
    pty.resume();
  }

  function look(): void {
    const shouldHold = !isClosed && clients.isHolding();
    if (!shouldHold) release();
    if (!shouldHold || held !== undefined) return;
    pty.pause();
    clients.startWaiting();
    held = { timer: setInterval(check, heldLookMs), forMs: 0 };
  }

  function check(): void {
    if (held === undefined) return;
    held.forMs += heldLookMs;
    // The library throws away what was not read soon after the program ended.
    if (!isProcessThere(pty.pid)) close();
    if (held === undefined || held.forMs < stuckMs) return;
    held.forMs = 0;
    clients.giveUpOnStuck();
    clients.startWaiting();
    look();
  }

  function close(): void {
    isClosed = true;
    release();
  }

  return { look, close };
}

/** Begins with a whole letter. */
function textOf(ring: ReturnType<typeof createOutputRing>, bytesMax: number): string {
  const pieces: Uint8Array[] = [];
  for (let cursor = Math.max(ring.oldest(), ring.end() - bytesMax); cursor < ring.end(); ) {
    const piece = ring.read(cursor, bytesMax);
    pieces.push(piece);
    cursor += piece.length;
  }
  const bytes = Buffer.concat(pieces);
  const isInsideLetter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
  let start = 0;
  while (start < 3 && isInsideLetter(bytes[start])) start += 1;
  return bytes.subarray(start).toString("utf8");
}
