/** One HTTP request and the bytes of its answer, on a kept-alive connection that is released on every path. */
import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { monotonicMs } from "@kedge/protocol";
import { abortCalls } from "./abort-calls.ts";
import { createAnswerIntake } from "./answer-intake.ts";
import { type Connections, type OutgoingRequest, type SentRequest, unsendableCodes } from "./connections.ts";
import { addDeadline, type Deadline, dropDeadline } from "./deadlines.ts";
import { type ExchangeSilence, startLimits, type TimedOut, type TimeLimits } from "./exchange-limits.ts";
import { noteKeepAlive } from "./idle-connections.ts";

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

/** How long the closing bytes of a complete answer may take before the connection is given up. */
const closingTimeoutMs = 1000;

export function startExchange(connections: Connections, options: ExchangeOptions, signal: AbortSignal): Exchange {
  /** The connection, until it is free for the next request or given up. */
  let held: SentRequest | undefined;
  let response: IncomingMessage | undefined;
  let stop: ExchangeStop | undefined;
  /** Whoever waits for a change. */
  let wake: (() => void) | undefined;
  let closing: Deadline | undefined;
  const intake = createAnswerIntake();
  const limits = startLimits(options, { isPaused: intake.isPaused, silent: report, timedOut: breakOff });
  const aborts = abortCalls(signal);
  const abort = () => breakOff({ kind: "aborted" });

  function report(): void {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  }

  const change = () => new Promise<void>((resolve) => (wake = resolve));

  function settle(reason: ExchangeStop): void {
    stop ??= reason;
    limits.stop();
    aborts.delete(abort);
    report();
  }

  function breakOff(reason: ExchangeStop): void {
    settle(reason);
    giveUp();
  }

  function giveUp(): void {
    const given = held;
    free();
    given?.giveUp();
  }

  function free(): void {
    held = undefined;
    if (closing !== undefined) dropDeadline(closing);
  }

  function send(): void {
    const outcome = trySend(connections, options);
    if ("error" in outcome) {
      settle({ kind: "broken", error: outcome.error });
      return;
    }
    held = outcome;
    aborts.add(abort);
    const { request } = outcome;
    request.on("response", answered);
    request.on("information", noticeBytes);
    request.on("upgrade", (_incoming, socket) => lose(refuseUpgrade(socket)));
    request.on("error", lose);
  }

  function noticeBytes(): void {
    if (stop === undefined) limits.noticeBytes();
  }

  function answered(incoming: IncomingMessage): void {
    response = incoming;
    noteKeepAlive(incoming);
    noticeBytes();
    intake.open(incoming, received);
    incoming.on("end", finish);
    incoming.on("error", lose);
    report();
  }

  function received(): void {
    noticeBytes();
    report();
  }

  function finish(): void {
    // What the server did not want to read must not be sent to it before the next request.
    if (!isSent()) giveUp();
    free();
    settle({ kind: "ended" });
  }

  function lose(error: NodeJS.ErrnoException): void {
    // Node may still hold what came in the same read as the error.
    intake.drain();
    // What comes after a complete answer spoils the connection, and not the answer.
    breakOff(response?.complete === true ? { kind: "ended" } : { kind: "broken", error });
  }

  /** The whole request has been handed to the system. */
  function isSent(): boolean {
    return held?.request.writableFinished === true;
  }

  if (signal.aborted) settle({ kind: "aborted" });
  else send();

  return {
    async head() {
      while (response === undefined && stop === undefined) {
        const silent = limits.takeSilence();
        if (silent !== undefined) return silent;
        await change();
      }
      const isOver = stop?.kind === "aborted" || stop?.kind === "timed-out";
      if (response === undefined || isOver) return stop ?? { kind: "ended" };
      return { kind: "answered", status: response.statusCode ?? 0, headers: headersOf(response) };
    },
    read: intake.readInto,
    async progress() {
      while (!intake.takeNews() && stop === undefined) {
        const silent = limits.takeSilence();
        if (silent !== undefined) return silent;
        await change();
      }
      return stop;
    },
    release({ answerComplete }) {
      settle({ kind: "ended" });
      intake.close();
      if (held === undefined) return;
      // The request's bytes may be overwritten from now on: those not sent yet must never be sent.
      if (!answerComplete || response === undefined || !isSent()) return giveUp();
      // Free soon or given up; nobody waits for that.
      closing = { at: monotonicMs() + closingTimeoutMs, passed: giveUp };
      addDeadline(closing);
      held.request.socket?.unref();
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
