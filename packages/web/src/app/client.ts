/** The client of the page: kedge over HTTP, at the server that the page came from, known by the cookie of the browser. */
import type { Client } from "@kedge/protocol";
import { createClient } from "@kedge/sdk";

/** A browser has six connections to a server; what waits on dead ones would keep everything else from being asked. */
export type PageConnection = {
  readonly client: Client;
  /** Gives up every request but the event stream: their connections are gone. */
  giveUp(): void;
};

export function connectPage(): PageConnection {
  let lost = new AbortController();
  const client = createClient({
    url: location.origin,
    fetch(input, init = {}) {
      const isStream = new Headers(init.headers).get("accept") === "text/event-stream";
      const signals = [...(isStream ? [] : [lost.signal]), ...(init.signal == null ? [] : [init.signal])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  return {
    client,
    giveUp() {
      lost.abort();
      lost = new AbortController();
    },
  };
}
