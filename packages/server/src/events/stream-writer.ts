/** Writes an event stream to a socket at the pace at which the other side reads, and gives up on those that do not. */
import type { ServerResponse } from "node:http";
import type { OpenFollower } from "./event-hub.ts";
import { bytesOf } from "./sent-frame.ts";

/** How long the last word may take to leave. */
const lastWordMs = 10_000;
/** How long a socket may take nothing at all, while nothing but facts of the store waits for it. */
const blockedMsMax = 120_000;

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  // Proxies would hold frames back.
  "x-accel-buffering": "no",
} as const;

export type StreamWriter = {
  /** Aborts when the other side is gone. */
  readonly gone: AbortSignal;
  /** Resolves when the socket takes more. */
  write(chunks: readonly Uint8Array[]): Promise<void>;
  /** Whoever did not read by now may still find this word. */
  giveUp(lastWord: Uint8Array): void;
  end(): void;
};

export function openStream(outgoing: ServerResponse): StreamWriter {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  // Nobody may be listening any more when it fails; the close that follows says all there is to say.
  outgoing.on("error", () => gone.abort());
  outgoing.socket?.setTimeout(0);
  outgoing.socket?.setNoDelay(true);
  if (outgoing.destroyed) gone.abort();

  function drained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => outgoing.destroy(), blockedMsMax).unref();
    const done = () => {
      clearTimeout(timer);
      outgoing.off("drain", done);
      gone.signal.removeEventListener("abort", done);
      resolve();
    };
    outgoing.once("drain", done);
    gone.signal.addEventListener("abort", done);
    if (gone.signal.aborted) done();
    return promise;
  }

  return {
    gone: gone.signal,
    async write(chunks) {
      if (gone.signal.aborted || outgoing.writableEnded) return;
      // Until here the answer can still be that something failed.
      if (!outgoing.headersSent) outgoing.writeHead(200, streamHeaders);
      // One write for all: corking would save the copy, but a corked answer does not always say that it has drained.
      const [first, ...others] = chunks;
      const bytes = others.length === 0 ? first : Buffer.concat(chunks);
      if (bytes !== undefined && !outgoing.write(bytes)) await drained();
    },
    giveUp(lastWord) {
      outgoing.end(lastWord);
      setTimeout(() => outgoing.destroy(), lastWordMs).unref();
      gone.abort();
    },
    end: () => void outgoing.end(),
  };
}

/** Until the follower ends, is too slow, or the other side is gone. */
export async function sendFollower(follower: OpenFollower, stream: StreamWriter): Promise<void> {
  follower.onTooSlow(() => stream.giveUp(bytesOf(follower.lastWord())));
  try {
    for await (const batch of follower.batches) {
      await stream.write(batch.map(bytesOf));
      if (stream.gone.aborted) break;
    }
  } finally {
    follower.close();
    stream.end();
  }
}
