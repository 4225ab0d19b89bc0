/** Those who watch a terminal: each has its own place in the output, and a slow one makes the program wait, not the memory grow. */
import type { OutputRing } from "./output-ring.ts";

/** Where the output goes. Nothing here may throw. */
export type TerminalSink = {
  /** What follows begins at this cursor. Comes first, and again after every loss. */
  begin(cursor: number, lostBytes: number): void;
  /** False when it wants no more until it calls `Attachment.resume`. */
  write(bytes: Uint8Array): boolean;
  /** The terminal takes input again, after `Attachment.write` gave false. */
  wake(): void;
  /** After the last byte. */
  end(exitCode: number): void;
};

export interface TerminalClients {
  count(): number;
  add(sink: TerminalSink, cursor: number | undefined): TerminalClient;
  /** Hands on what is new. */
  pump(): void;
  /** Whether the program should wait for somebody who would otherwise lose output. */
  isHolding(): boolean;
  /** The program waits from now on. */
  startWaiting(): void;
  /** Nobody is waited for any longer who took nothing since then. */
  giveUpOnStuck(): void;
  wake(): void;
  end(exitCode: number): void;
}

interface TerminalClient {
  resume(): void;
  leave(): void;
}

type Watcher = {
  readonly sink: TerminalSink;
  cursor: number;
  isFull: boolean;
  /** Took something since the program began to wait. */
  hasTaken: boolean;
  /** Too long for the program to wait for it. */
  isStuck: boolean;
};

const pieceBytesMax = 64 * 1024;
/** So far behind that the program waits; the rest of the ring takes what comes until it does. */
export const behindBytesMax = 1024 * 1024;

export function createTerminalClients(ring: OutputRing): TerminalClients {
  const watchers = new Set<Watcher>();
  let exitCode: number | undefined;

  function pumpTo(watcher: Watcher): void {
    while (!watcher.isFull && watchers.has(watcher)) {
      const lostBytes = ring.oldest() - watcher.cursor;
      if (lostBytes > 0) {
        watcher.cursor = ring.oldest();
        watcher.sink.begin(watcher.cursor, lostBytes);
      }
      const bytes = ring.read(watcher.cursor, pieceBytesMax);
      if (bytes.length === 0) break;
      watcher.cursor += bytes.length;
      watcher.isFull = !watcher.sink.write(bytes);
    }
    if (watcher.isFull || exitCode === undefined || !watchers.delete(watcher)) return;
    watcher.sink.end(exitCode);
  }

  function pump(): void {
    for (const watcher of watchers) pumpTo(watcher);
  }

  const holds = ({ isFull, isStuck, cursor }: Watcher) => isFull && !isStuck && ring.end() - cursor >= behindBytesMax;

  return {
    count: () => watchers.size,
    add(sink, wanted) {
      const cursor = Math.max(wanted ?? 0, ring.oldest());
      const watcher: Watcher = { sink, cursor, isFull: false, hasTaken: true, isStuck: false };
      watchers.add(watcher);
      sink.begin(cursor, wanted === undefined ? 0 : cursor - wanted);
      pumpTo(watcher);
      return {
        resume() {
          Object.assign(watcher, { isFull: false, isStuck: false, hasTaken: true });
          pumpTo(watcher);
        },
        leave: () => void watchers.delete(watcher),
      };
    },
    pump,
    isHolding: () => [...watchers].some(holds),
    startWaiting() {
      for (const watcher of watchers) watcher.hasTaken = false;
    },
    giveUpOnStuck() {
      for (const watcher of watchers) watcher.isStuck ||= holds(watcher) && !watcher.hasTaken;
    },
    wake() {
      for (const { sink } of watchers) sink.wake();
    },
    end(code) {
      exitCode = code;
      pump();
    },
  };
}
