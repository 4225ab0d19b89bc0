/** One client of a terminal on its WebSocket: bytes both ways, notes beside them, and no more in memory than is read. */
import type { RawData, WebSocket } from "ws";
import type { Attachment } from "./terminal.ts";
import type { TerminalSink } from "./terminal-clients.ts";
import { readTerminalNote, type ServerNote } from "./terminal-note.ts";
import type { Terminals } from "./terminals.ts";

export type TerminalConnection = {
  readonly terminals: Terminals;
  readonly ptyId: string;
  readonly cursor?: number;
  readonly onBeat: Beats;
};

/** Has the work done again and again, until the function it gives is called. */
export type Beats = (beat: () => void) => () => void;

/** More is left in the ring of the terminal until the client has read. */
const unreadBytesMax = 256 * 1024;
/** For the client's word that it has seen the end. */
const closeMsMax = 2_000;
const reasonBytesMax = 123;
const closeCodes = { over: 1000, refused: 1008 } as const;

export function connectTerminal(client: WebSocket, { terminals, ptyId, cursor, onBeat }: TerminalConnection): void {
  // Broken frames and connections: the library closes, which is all there is to do.
  client.on("error", () => undefined);
  let attachment: Attachment | undefined;
  const sink = createSink(client, () => attachment?.resume());
  const attached = terminals.attach(ptyId, cursor === undefined ? {} : { cursor }, sink);
  if (!attached.ok) {
    closeClient(client, closeCodes.refused, attached.failure.message);
    return;
  }
  attachment = attached.attachment;
  const { write, resize, leave } = attachment;

  function carryOut(text: string): void {
    const read = readTerminalNote(text);
    if (!read.ok) closeClient(client, closeCodes.refused, read.problem);
    else if (read.note.type === "resize") resize(read.note.columns, read.note.rows);
    // All clients of the terminal are told of its end.
    else void terminals.close(ptyId);
  }

  client.on("message", (message, isBinary) => {
    if (client.readyState !== client.OPEN) return;
    if (!isBinary) carryOut(bytesOf(message).toString("utf8"));
    else if (!write(bytesOf(message))) client.pause();
  });
  const stopPinging = keepAlive(client, onBeat);
  client.once("close", () => {
    stopPinging();
    leave();
  });
}

function createSink(client: WebSocket, resume: () => void): TerminalSink {
  let isFull = false;
  const tell = (note: ServerNote) => client.send(JSON.stringify(note), ignoreBroken);
  const onSent = () => {
    if (!isFull || client.bufferedAmount >= unreadBytesMax / 2) return;
    isFull = false;
    resume();
  };
  return {
    begin: (cursor, lost) => tell({ type: "cursor", cursor, ...(lost > 0 && { lost }) }),
    write(bytes) {
      client.send(bytes, { binary: true }, onSent);
      isFull = client.bufferedAmount >= unreadBytesMax;
      return !isFull;
    },
    wake: () => client.resume(),
    end(exitCode) {
      tell({ type: "exit", exitCode });
      closeClient(client, closeCodes.over, "The terminal has ended.");
    },
  };
}

/** A connection that broke says so by its own event, which is listened to. */
function ignoreBroken(): void {}

function closeClient(client: WebSocket, code: number, reason: string): void {
  // Otherwise the client's own word would not be read.
  client.resume();
  client.close(code, Buffer.from(reason).subarray(0, reasonBytesMax));
  // In a process that stood still the word may have come already: what waits is read before the connection is cut.
  const timer = setTimeout(() => setImmediate(() => client.terminate()), closeMsMax);
  client.once("close", () => clearTimeout(timer));
}

/** Ends the connection of a client that did not answer until the next ping. */
function keepAlive(client: WebSocket, onBeat: Beats): () => void {
  let hasAnswered = true;
  client.on("pong", () => {
    hasAnswered = true;
  });
  return onBeat(() => {
    // Nothing is read while the program takes no input, answers neither.
    if (!hasAnswered && !client.isPaused) return client.terminate();
    hasAnswered = false;
    client.ping(ignoreBroken);
  });
}

function bytesOf(message: RawData): Buffer {
  if (Array.isArray(message)) return Buffer.concat(message);
  return message instanceof ArrayBuffer ? Buffer.from(message) : message;
}
