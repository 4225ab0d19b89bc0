/**
 * One event stream for the whole page: all sessions of the directory, so that a tab has a single open request, and a
 * question in another session is seen as well. Whoever follows one session gets its part of the stream.
 */
import { type Client, connectionLost, type EventFrame, FailureError, type FollowOptions } from "@kedge/protocol";
import * as texts from "../texts/frame.ts";
import { chooseListeningTab } from "./listening-tab.ts";

export type StreamState = "connecting" | "connected" | "lost" | "signed-out" | "ended";

export type PageStreamParts = {
  readonly client: Client;
  readonly now: () => number;
  /** Whether somebody can see the page. */
  readonly isSeen: () => boolean;
  readonly locks: LockManager | undefined;
  readonly onState: (state: StreamState, sentence?: string) => void;
  /** It listens again after a rest in which the machine may have slept. */
  readonly onLongRest: () => void;
  /** Every frame of every session. */
  readonly onFrame: (frame: EventFrame) => void;
};

export interface PageStream {
  /** The same as that of the client, out of the one stream. */
  follow(options: FollowOptions): AsyncIterable<EventFrame>;
  /** Listens; a tab that is not seen and not chosen does so when that changes. */
  start(): void;
  /** Nobody sees the page any more: its connection is needed elsewhere, unless this is the tab that listens for all. */
  rest(): void;
  /** The machine slept, the network came back or the page is looked at again: a stream that was silent is not waited for. */
  wake(): void;
  close(): void;
}

/** A server says something every ten seconds. */
const suspiciousMs = 12_000;

type Listener = { readonly put: (frame: EventFrame) => void; readonly end: (error?: unknown) => void };

export function createPageStream(parts: PageStreamParts): PageStream {
  const { client, now, isSeen, locks, onState, onLongRest, onFrame } = parts;
  const tab = chooseListeningTab({ locks, onChosen: goOn });
  const listeners = new Set<Listener>();
  let attempt = new AbortController();
  let isRunning = false;
  /** Started, and given up until the page is seen again or its tab is chosen. */
  let isResting = false;
  let connected: EventFrame | undefined;
  let lastId: string | undefined;
  let heardAt = now();

  function tell(frame: EventFrame): void {
    onFrame(frame);
    for (const { put } of [...listeners]) put(frame);
  }

  function lose(): void {
    if (connected === undefined) return;
    connected = undefined;
    tell({ id: lastId ?? "", type: connectionLost, directory: "", properties: {} });
  }

  function take(frame: EventFrame): void {
    if (frame.type === connectionLost) {
      onState("lost");
      if (connected === undefined) tell(frame);
      else lose();
      return;
    }
    heardAt = now();
    lastId = frame.id;
    if (frame.type === "server.connected") {
      connected = frame;
      onState("connected");
    }
    tell(frame);
  }

  async function read({ signal }: AbortController): Promise<void> {
    const after = lastId === undefined ? {} : { after: lastId };
    for await (const frame of client.follow({ view: "parts", signal, ...after })) {
      if (signal.aborted) return;
      take(frame);
    }
  }

  async function run(own: AbortController): Promise<void> {
    let problem: unknown;
    try {
      await read(own);
    } catch (error) {
      problem = error;
    }
    if (own.signal.aborted) return;
    isRunning = false;
    // Another tab may be signed in.
    tab.leave();
    lose();
    const isSignedOut = problem instanceof FailureError && problem.failure.code === "auth_error";
    if (isSignedOut) onState("signed-out");
    else onState("ended", problem instanceof FailureError ? problem.failure.message : texts.serverClosed);
    // The followers wait: they go on when the stream does.
  }

  function listen(): void {
    attempt.abort();
    attempt = new AbortController();
    isRunning = true;
    isResting = false;
    heardAt = now();
    onState("connecting");
    void run(attempt);
  }

  /** Nothing is said to be lost: the next stream begins where this one ended, and tells what happened meanwhile. */
  function rest(): void {
    attempt.abort();
    isRunning = false;
    isResting = true;
    connected = undefined;
    onState("connecting");
  }

  function goOn(): void {
    if (!isResting) return;
    if (now() - heardAt > suspiciousMs) onLongRest();
    listen();
  }

  return {
    start() {
      tab.join();
      if (isSeen() || tab.isChosen()) listen();
      else rest();
    },
    rest() {
      if (isRunning && !tab.isChosen()) rest();
    },
    wake() {
      if (isResting) return goOn();
      if (isRunning && now() - heardAt > suspiciousMs) {
        onState("lost");
        lose();
        listen();
      }
    },
    close() {
      attempt.abort();
      tab.leave();
      for (const { end } of [...listeners]) end();
    },
    follow: ({ sessionId, signal }) => followOne(listeners, { sessionId, signal, begun: () => connected }),
  };
}

type OneFollowed = Pick<FollowOptions, "signal"> & {
  readonly sessionId: string | undefined;
  readonly begun: () => EventFrame | undefined;
};

async function* followOne(
  listeners: Set<Listener>,
  { sessionId, signal, begun }: OneFollowed,
): AsyncGenerator<EventFrame> {
  const waiting: EventFrame[] = [];
  const first = begun();
  if (first !== undefined) waiting.push(first);
  let isOver = signal.aborted;
  let wake = () => {};
  const listener: Listener = {
    put(frame) {
      if (frame.sessionId !== undefined && frame.sessionId !== sessionId) return;
      waiting.push(frame);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
  };
  const onAbort = () => listener.end();
  listeners.add(listener);
  signal.addEventListener("abort", onAbort);
  try {
    while (!isOver) {
      const frame = waiting.shift();
      if (frame !== undefined) yield frame;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    listeners.delete(listener);
    signal.removeEventListener("abort", onAbort);
  }
}
