/** The client of the page: kedge over HTTP, at the server that the page came from, known by the cookie of the browser. */
import type { Client } from "@kedge/protocol";
import { createClient } from "@kedge/sdk";

/** A browser has six connections to a server; what waits on dead ones would keep everything else from being asked. */
export type PageConnection = {
  readonly client: Client;
  /** Gives up every request but the event stream, and drops the connections that do not answer any more. */
  giveUp(): void;
  /** Drops the connections that do not answer any more; what is asked next waits for that. */
  dropDead(): void;
};

export function connectPage(): PageConnection {
  let lost = new AbortController();
  let dropped: Promise<unknown> = Promise.resolve();
  const client = createClient({
    url: location.origin,
    async fetch(input, init = {}) {
      const isStream = new Headers(init.headers).get("accept") === "text/event-stream";
      const signals = [...(isStream ? [] : [lost.signal]), ...(init.signal == null ? [] : [init.signal])];
      await dropped;
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  function dropDead(): void {
    dropped = dropDeadConnections();
  }

  return {
    client,
    dropDead,
    giveUp() {
      lost.abort();
      lost = new AbortController();
      dropDead();
    },
  };
}

const connectionsMax = 6;
const answerMsMax = 2_000;

/**
 * A browser keeps connections for the next requests, and cannot know which of them died without a word: each would
 * take a request of its own that waits until its limit. Asked all at once, those without an answer are closed together.
 */
function dropDeadConnections(): Promise<unknown> {
  const wish: RequestInit = { cache: "no-store", signal: AbortSignal.timeout(answerMsMax) };
  const asked = Array.from({ length: connectionsMax }, async () => (await fetch("/health", wish)).text());
  return Promise.allSettled(asked);
}
