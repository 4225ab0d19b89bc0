/** When streams of events end: one that carries a whole connection ends it, another is opened again, but not without rest. */
import { type ReconnectionScheduler, SseError, type Transport } from "@modelcontextprotocol/client";

/**
 * The old transport opens its stream again by itself. Its server knows that one as another client, which never said
 * hello, and answers to what was asked before never come: so the connection is over, and a new one is made.
 */
export function endingWithItsStream(transport: Transport): Transport {
  const start = transport.start.bind(transport);
  let hear: Transport["onerror"];
  let isOpen = false;
  Object.defineProperty(transport, "onerror", {
    get: () => hear,
    set(next: Transport["onerror"]) {
      hear = (error) => {
        next?.(error);
        if (isOpen && error instanceof SseError) transport.close().catch(() => undefined);
      };
    },
  });
  transport.start = async () => {
    await start();
    isOpen = true;
  };
  return transport;
}

const restMsMin = 100;
/** As often as servers may be asked without end: what a stream that ends by intention usually names. */
const steadyRestMs = 1_000;
const quickReturnsMax = 10;
/** After so long without one, returns are counted anew. */
const forgetMs = 60_000;

export type StreamReturnParts = {
  readonly now: () => number;
  readonly later: (work: () => void, delayMs: number) => () => void;
};

/** A server may end its stream at once and name no time to wait, which the library would follow without rest. */
export function createStreamReturns({ now, later }: StreamReturnParts = realTime): ReconnectionScheduler {
  let returns = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (reconnect, delayMs) => {
    if (now() - lastMs > forgetMs) returns = 0;
    returns += 1;
    lastMs = now();
    return later(reconnect, Math.max(delayMs, returns > quickReturnsMax ? steadyRestMs : restMsMin));
  };
}

const realTime: StreamReturnParts = {
  now: () => performance.now(),
  later(work, delayMs) {
    const timer = setTimeout(work, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
