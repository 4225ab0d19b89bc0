/** One HTTP request and the bytes of its answer, on a kept-alive connection that is released on every path. */
import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createChunkIntake } from "./chunk-intake.ts";
import { type Connections, type OutgoingRequest, type SentRequest, unsendableCodes } from "./connections.ts";
import { type ExchangeSilence, startLimits, type TimedOut, type TimeLimits } from "./exchange-limits.ts";

import { createHeldConnection } from "./held-connection.ts";

export type ExchangeOptions = OutgoingRequest & TimeLimits;

/** Why no more bytes will come. */
export type ExchangeStop =
  | { readonly kind: "ended" }
  | { readonly kind: "aborted" }
  | TimedOut
  | { readonly kind: "broken"; readonly error: NodeJS.ErrnoException };

/** Names in lower case. */
export type ResponseHeaders = { readonly [name: string]: string | undefined };

export type ExchangeHead = {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: ResponseHeaders;
};

export type Exchange = {
  readonly head: () => Promise<ExchangeHead | ExchangeStop | ExchangeSilence>;
  /** From now on every chunk goes to `sink` as soon as it is there. Call it once, after `head`. */
  readonly read: (sink: (chunk: Buffer) => void) => void;
  /** Waits until `sink` got something since the last call (undefined), nothing comes, or nothing more will come. */
  readonly progress: () => Promise<ExchangeStop | ExchangeSilence | undefined>;
  /** With `answerComplete`, the connection is kept for the next request once the few closing bytes have arrived. */
  readonly release: (options: { readonly answerComplete: boolean }) => void;
};

export function startExchange(connections: Connections, options: ExchangeOptions, signal: AbortSignal): Exchange {
  let response: IncomingMessage | undefined;
  let stop: ExchangeStop | undefined;
  let isPaused = false;
  const connection = createHeldConnection();
  const change = createChange();
  const intake = createChunkIntake();
  const limits = startLimits(options, { isPaused: () => isPaused, silent: change.report, timedOut: breakOff });
  const abort = () => breakOff({ kind: "aborted" });

  function noticeBytes(): void {
    if (stop === undefined) limits.noticeBytes();
  }

  function settle(reason: ExchangeStop): void {
    stop ??= reason;
    limits.stop();
    signal.removeEventListener("abort", abort);
    change.report();
  }

  function breakOff(reason: ExchangeStop): void {
    settle(reason);
    connection.giveUp();
  }

  function send(): void {
    const outcome = trySend(connections, options);
    if ("error" in outcome) {
      settle({ kind: "broken", error: outcome.error });
      return;
    }
    connection.hold(outcome);
    signal.addEventListener("abort", abort, { once: true });
    outcome.request.on("response", answered);
    outcome.request.on("information", noticeBytes);
    outcome.request.on("upgrade", (_incoming, socket) => lose(refuseUpgrade(socket)));
    outcome.request.on("error", lose);
  }

  function answered(incoming: IncomingMessage): void {
    response = incoming;
    noticeBytes();
    incoming.on("data", received);
    incoming.on("end", finish);
    incoming.on("error", lose);
    change.report();
  }

  function received(chunk: Buffer): void {
    intake.take(chunk);
    if (intake.isFull() && !isPaused && stop === undefined) {
      isPaused = true;
      response?.pause();
    }
    // Chunks come by the thousand: what follows is done once for all that were read together.
    if (change.isPlanned()) return;
    noticeBytes();
    change.reportSoon();
  }

  function finish(): void {
    // What the server did not want to read must not be sent to it before the next request.
    if (!connection.isSent()) connection.giveUp();
    connection.free();
    settle({ kind: "ended" });
  }

  function lose(error: NodeJS.ErrnoException): void {
    // Node may still hold what came in the same read as the error; each chunk that is read goes to `received`.
    while (response?.read() != null);
    // What comes after a complete answer spoils the connection, and not the answer.
    breakOff(response?.complete === true ? { kind: "ended" } : { kind: "broken", error });
  }

  if (signal.aborted) settle({ kind: "aborted" });
  else send();

  return {
    async head() {
      while (response === undefined && stop === undefined) {
        const silent = limits.takeSilence();
        if (silent !== undefined) return silent;
        await change.next();
      }
      const isOver = stop?.kind === "aborted" || stop?.kind === "timed-out";
      if (response === undefined || isOver) return stop ?? { kind: "ended" };
      return { kind: "answered", status: response.statusCode ?? 0, headers: headersOf(response) };
    },
    read: intake.readInto,
    async progress() {
      intake.countAnew();
      if (isPaused) {
        isPaused = false;
        response?.resume();
      }
      while (!intake.hasUnread() && stop === undefined) {
        const silent = limits.takeSilence();
        if (silent !== undefined) return silent;
        await change.next();
      }
      intake.markRead();
      return stop;
    },
    release({ answerComplete }) {
      settle({ kind: "ended" });
      intake.close();
      if (!connection.isHeld()) return;
      // The request's bytes may be overwritten from now on: those not sent yet must never be sent.
      const isReusable = answerComplete && response !== undefined && connection.isSent();
      if (!isReusable) return connection.giveUp();
      connection.awaitClosing();
      response?.resume();
    },
  };
}

function trySend(connections: Connections, options: OutgoingRequest): SentRequest | { error: NodeJS.ErrnoException } {
  try {
    return connections.send(options);
  } catch (error) {
    if (!isUnsendable(error)) throw error;
    return { error };
  }
}

/** Nobody asked for another protocol, and Node would wait for somebody to speak it. */
function refuseUpgrade(socket: Duplex): NodeJS.ErrnoException {
  socket.destroy();
  return Object.assign(new Error("The server changed the protocol."), { code: "HPE_INVALID_STATUS" });
}

function headersOf({ headers }: IncomingMessage): ResponseHeaders {
  delete headers["set-cookie"];
  // It was the only one that Node hands over as a list.
  return headers as ResponseHeaders;
}

function isUnsendable(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string" && unsendableCodes.has(error.code);
}

/** Lets one waiter sleep until something changed. */
function createChange(): {
  readonly next: () => Promise<void>;
  readonly report: () => void;
  readonly reportSoon: () => void;
  readonly isPlanned: () => boolean;
} {
  let wake: (() => void) | undefined;
  let isPlanned = false;
  function report(): void {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  }
  return {
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    report,
    /** The system may have more to read at once; reporting after all of it is what merges its deltas. */
    reportSoon() {
      if (isPlanned) return;
      isPlanned = true;
      setImmediate(() => {
        isPlanned = false;
        report();
      });
    },
    isPlanned: () => isPlanned,
  };
}
