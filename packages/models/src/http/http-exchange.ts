/** One HTTP request and the bytes of its answer, on a kept-alive connection that is let go of on every path. */
import type { Buffer } from "node:buffer";
import type { ConnectionPool } from "./connection-pool.ts";
import type { HttpConnection } from "./http-connection.ts";
import { requestHead } from "./request-head.ts";
import type { ResponseHead, ResponseHeaders } from "./response-head.ts";
import { createResponseParser, type ResponseParts } from "./response-parser.ts";

/** Where every request goes. */
export type Transport = { readonly path: string; readonly connections: ConnectionPool };

export type ExchangeOptions = {
  /** Names and values in turn, `host` among them. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** For the whole exchange. */
  readonly overallTimeoutMs: number;
  /** For the time without any byte from the other side. */
  readonly idleTimeoutMs: number;
  /** After so long without any byte the exchange says so and goes on; never without it. */
  readonly idleWarningMs?: number;
};

/** Nothing has come for a while. The exchange goes on. */
export type ExchangeSilence = { readonly kind: "silent"; readonly idleMs: number };

/** Why no more bytes will come. */
export type ExchangeStop =
  | { readonly kind: "ended" }
  | { readonly kind: "aborted" }
  | { readonly kind: "timed-out"; readonly limit: "idle" | "overall"; readonly limitMs: number }
  | { readonly kind: "broken"; readonly error: NodeJS.ErrnoException };

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

/** A consumer that lags so far behind makes the sender wait. */
const unreadBytesMax = 1024 * 1024;

/** How long the closing bytes of a complete answer may take before the connection is given up. */
const closingTimeoutMs = 1000;

export function startExchange(transport: Transport, options: ExchangeOptions, signal: AbortSignal): Exchange {
  /** Undefined as soon as the connection belongs to the pool again, or to nobody. */
  let connection: HttpConnection | undefined;
  let response: ResponseHead | undefined;
  let stop: ExchangeStop | undefined;
  let silence: ExchangeSilence | undefined;
  let hasUnread = false;
  let unreadBytes = 0;
  let isPaused = false;
  let closingTimer: NodeJS.Timeout | undefined;
  /** Runs only during a silence, so that bytes that keep coming move no timer but one. */
  let silenceTimer: NodeJS.Timeout | undefined;
  const change = createChange();
  /** What came before anybody read. */
  let held: Buffer[] = [];
  let sink = (chunk: Buffer) => {
    held.push(chunk);
  };

  const parts: ResponseParts = {
    head: (head) => {
      response = head;
    },
    body: (piece) => {
      sink(piece);
      hasUnread = true;
      unreadBytes += piece.length;
    },
  };
  const parser = createResponseParser(parts, transport.connections.readHead);
  const timeOut = (limit: "idle" | "overall", limitMs: number) => () => breakOff({ kind: "timed-out", limit, limitMs });
  const { overallTimeoutMs, idleTimeoutMs, idleWarningMs = idleTimeoutMs } = options;
  const overallTimer = setTimeout(timeOut("overall", overallTimeoutMs), overallTimeoutMs);
  const giveUpIdle = timeOut("idle", idleTimeoutMs);
  const idleTimer = setTimeout(noticeSilence, Math.min(idleWarningMs, idleTimeoutMs));
  const abort = () => breakOff({ kind: "aborted" });

  function noticeSilence(): void {
    // Whoever makes the sender wait must not complain that nothing comes.
    if (isPaused) idleTimer.refresh();
    else if (idleWarningMs >= idleTimeoutMs) giveUpIdle();
    else {
      silence = { kind: "silent", idleMs: idleWarningMs };
      silenceTimer = setTimeout(giveUpIdle, idleTimeoutMs - idleWarningMs);
      change.report();
    }
  }

  function endSilence(): void {
    clearTimeout(silenceTimer);
    silenceTimer = undefined;
    silence = undefined;
  }

  function settle(reason: ExchangeStop): void {
    stop ??= reason;
    clearTimeout(overallTimer);
    clearTimeout(idleTimer);
    endSilence();
    signal.removeEventListener("abort", abort);
    change.report();
  }

  function breakOff(reason: ExchangeStop): void {
    settle(reason);
    giveUpConnection();
  }

  function giveUpConnection(): void {
    clearTimeout(closingTimer);
    connection?.close();
    connection = undefined;
  }

  function received(bytes: Buffer): boolean {
    const hadHead = response !== undefined;
    const result = parser.push(bytes);
    switch (result.kind) {
      case "malformed":
        breakOff(broken(result.code, "The answer is not HTTP."));
        return true;
      case "complete":
        finish({ surplus: result.surplus });
        return true;
      case "unfinished":
        if (stop !== undefined) return true;
        idleTimer.refresh();
        if (silenceTimer !== undefined) endSilence();
        if (hadHead) change.reportSoon();
        else change.report();
        isPaused = unreadBytes > unreadBytesMax;
        return !isPaused;
    }
  }

  /** The connection goes back before anybody is woken, so that the next request finds it. */
  function finish({ surplus }: { readonly surplus: boolean }): void {
    clearTimeout(closingTimer);
    const finished = connection;
    connection = undefined;
    if (surplus || finished?.hasUnsent() === true) finished?.close();
    else if (finished !== undefined) transport.connections.put(finished, response?.keepAliveMs ?? 0);
    settle({ kind: "ended" });
  }

  function closed(error: NodeJS.ErrnoException | undefined): void {
    clearTimeout(closingTimer);
    connection = undefined;
    if (error !== undefined) settle({ kind: "broken", error });
    else if (parser.endsHere()) settle({ kind: "ended" });
    else settle(broken("ECONNRESET", "The connection was closed before the answer was complete."));
  }

  function takeSilence(): ExchangeSilence | undefined {
    const taken = silence;
    silence = undefined;
    return taken;
  }

  const request = requestHead({ path: transport.path, headers: options.headers, bodyBytes: options.body.length });
  if (signal.aborted) settle({ kind: "aborted" });
  else if (request.kind === "unsendable") settle(broken(request.code, "A header cannot be sent."));
  else {
    signal.addEventListener("abort", abort, { once: true });
    connection = transport.connections.take({ received, closed });
    connection.send(request.text, options.body);
  }

  return {
    async head() {
      while (response === undefined && stop === undefined) {
        const silent = takeSilence();
        if (silent !== undefined) return silent;
        await change.next();
      }
      const isOver = stop?.kind === "aborted" || stop?.kind === "timed-out";
      if (response === undefined || isOver) return stop ?? { kind: "ended" };
      return { kind: "answered", status: response.status, headers: response.headers };
    },
    read(to) {
      sink = to;
      for (const chunk of held) to(chunk);
      held = [];
    },
    async progress() {
      unreadBytes = 0;
      if (isPaused) {
        isPaused = false;
        connection?.resume();
      }
      while (!hasUnread && stop === undefined) {
        const silent = takeSilence();
        if (silent !== undefined) return silent;
        await change.next();
      }
      hasUnread = false;
      return stop;
    },
    release({ answerComplete }) {
      settle({ kind: "ended" });
      sink = () => {};
      held = [];
      if (connection === undefined) return;
      // The request's bytes may be overwritten from now on: those not sent yet must never be sent.
      if (!answerComplete || response === undefined || connection.hasUnsent()) return giveUpConnection();
      closingTimer = setTimeout(giveUpConnection, closingTimeoutMs).unref();
      connection.setWaitedFor(false);
      connection.resume();
    },
  };
}

/** Lets one waiter sleep until something changed. */
function createChange(): {
  readonly next: () => Promise<void>;
  readonly report: () => void;
  readonly reportSoon: () => void;
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
  };
}

function broken(code: string, message: string): ExchangeStop {
  return { kind: "broken", error: Object.assign(new Error(message), { code }) };
}
