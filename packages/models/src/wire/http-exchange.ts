/** One HTTP request and the bytes of its answer, on a kept-alive connection that is let go of on every path. */
import type { Buffer } from "node:buffer";
import type {
  Agent,
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
  request as startRequest,
} from "node:http";

export type Transport = {
  readonly request: typeof startRequest;
  readonly agent: Agent;
  /** Where every request goes; taken apart once, because handing over a URL costs 0.03 ms each time. */
  readonly target: RequestOptions;
};

export type ExchangeOptions = {
  /** Names and values in turn, `host` among them: Node writes such a list as it is, which halves the cost of a head. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** For the whole exchange. */
  readonly overallTimeoutMs: number;
  /** For the time without any byte from the other side. */
  readonly idleTimeoutMs: number;
};

/** Why no more bytes will come. */
export type ExchangeStop =
  | { readonly kind: "ended" }
  | { readonly kind: "aborted" }
  | { readonly kind: "timed-out"; readonly limit: "idle" | "overall"; readonly limitMs: number }
  | { readonly kind: "broken"; readonly error: NodeJS.ErrnoException };

export type ExchangeHead = {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
};

export type Exchange = {
  readonly head: () => Promise<ExchangeHead | ExchangeStop>;
  /** From now on every chunk goes to `sink` as soon as it is there. Call it once, after `head`. */
  readonly read: (sink: (chunk: Buffer) => void) => void;
  /** Waits until `sink` got something since the last call (undefined) or nothing more will come. */
  readonly progress: () => Promise<ExchangeStop | undefined>;
  /** With `answerComplete`, the connection is kept for the next request once the few closing bytes have arrived. */
  readonly release: (options: { readonly answerComplete: boolean }) => void;
};

/** A consumer that lags so far behind makes the sender wait. */
const unreadBytesMax = 1024 * 1024;

/** How long the closing bytes of a complete answer may take before the connection is given up. */
const closingTimeoutMs = 1000;

export function startExchange(transport: Transport, options: ExchangeOptions, signal: AbortSignal): Exchange {
  let request: ClientRequest | undefined;
  let response: IncomingMessage | undefined;
  let stop: ExchangeStop | undefined;
  let wake: (() => void) | undefined;
  let hasUnread = false;
  let unreadBytes = 0;
  let wakePlanned = false;

  const timeOut = (limit: "idle" | "overall", limitMs: number) => () => {
    if (limit === "idle" && response?.isPaused() === true) idleTimer.refresh();
    else breakOff({ kind: "timed-out", limit, limitMs });
  };
  const overallTimer = setTimeout(timeOut("overall", options.overallTimeoutMs), options.overallTimeoutMs);
  const idleTimer = setTimeout(timeOut("idle", options.idleTimeoutMs), options.idleTimeoutMs);
  const abort = () => breakOff({ kind: "aborted" });

  function settle(reason: ExchangeStop): void {
    stop ??= reason;
    clearTimeout(overallTimer);
    clearTimeout(idleTimer);
    signal.removeEventListener("abort", abort);
    wakeUp();
  }

  function breakOff(reason: ExchangeStop): void {
    settle(reason);
    request?.destroy();
  }

  function wakeUp(): void {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  }

  function change(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }

  function onResponse(message: IncomingMessage): void {
    response = message;
    idleTimer.refresh();
    message.on("end", () => settle({ kind: "ended" }));
    message.on("error", (error) => settle({ kind: "broken", error }));
    // A server may drop the connection without an error; what was promised then never came.
    message.on("close", () => settle({ kind: "ended" }));
    wakeUp();
  }

  /** One read of the socket brings many chunks; waking after all of them is what merges their deltas. */
  function planWake(): void {
    if (wakePlanned) return;
    wakePlanned = true;
    idleTimer.refresh();
    setImmediate(() => {
      wakePlanned = false;
      wakeUp();
    });
  }

  if (signal.aborted) settle({ kind: "aborted" });
  else {
    signal.addEventListener("abort", abort, { once: true });
    try {
      request = transport.request({
        ...transport.target,
        method: "POST",
        agent: transport.agent,
        headers: [...options.headers, "content-length", String(options.body.length)],
      });
      request.on("response", onResponse);
      request.on("error", (error) => settle({ kind: "broken", error }));
      request.end(options.body);
    } catch (error) {
      // Thrown for headers that cannot be sent; anything without a code is a bug.
      settle({ kind: "ended" });
      if (!isSystemError(error)) throw error;
      stop = { kind: "broken", error };
    }
  }

  return {
    async head() {
      while (response === undefined && stop === undefined) await change();
      if (stop !== undefined && stop.kind !== "ended") return stop;
      if (response === undefined) return stop ?? { kind: "ended" };
      return { kind: "answered", status: response.statusCode ?? 0, headers: response.headers };
    },
    read(sink) {
      response?.on("data", (chunk: Buffer) => {
        sink(chunk);
        hasUnread = true;
        unreadBytes += chunk.length;
        if (unreadBytes > unreadBytesMax) response?.pause();
        planWake();
      });
    },
    async progress() {
      unreadBytes = 0;
      if (response?.isPaused() === true) response.resume();
      while (!hasUnread && stop === undefined) await change();
      hasUnread = false;
      return stop;
    },
    release({ answerComplete }) {
      settle({ kind: "ended" });
      if (request === undefined || response?.complete === true) return;
      if (answerComplete && response !== undefined) letFinish(request, response);
      else request.destroy();
    },
  };
}

function letFinish(request: ClientRequest, response: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), closingTimeoutMs).unref();
  response.on("close", () => clearTimeout(timer));
  response.removeAllListeners("data");
  response.resume();
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
