/** Which resources a server tells changes of: as many as somebody wants, over the connection that there is. */
import type { Client, McpSubscription } from "@modelcontextprotocol/client";
import { connectMs } from "./limits.ts";

interface WatchedResources {
  /** Until the returned function is called. */
  watch(uri: string): () => void;
  /** A connection is there; it knows nothing of what an earlier one was told. */
  connected(client: Client): void;
}

/** A server that does not tell of changes, or refuses, is left alone. */
export function createWatchedResources(onFailed: (error: string) => void): WatchedResources {
  const wanted = new Map<string, number>();
  let client: Client | undefined;
  let listening: Promise<McpSubscription | undefined> = Promise.resolve(undefined);
  const failed = (error: unknown) => {
    onFailed(error instanceof Error ? error.message : String(error));
    return undefined;
  };

  /** The new protocol has one stream for all of them, which is opened anew; the old one a request for each. */
  function tell(uri: string, isWanted: boolean): void {
    const open = client;
    if (open?.getServerCapabilities()?.resources?.subscribe !== true) return;
    const options = { timeout: connectMs };
    if (open.getProtocolEra() !== "modern") {
      const asked = isWanted ? open.subscribeResource({ uri }, options) : open.unsubscribeResource({ uri }, options);
      asked.catch(failed);
      return;
    }
    listening = listening.then(async (before) => {
      await before?.close().catch(failed);
      const uris = [...wanted.keys()];
      return uris.length === 0 ? undefined : open.listen({ resourceSubscriptions: uris }, options).catch(failed);
    });
  }

  return {
    watch(uri) {
      wanted.set(uri, (wanted.get(uri) ?? 0) + 1);
      if (wanted.get(uri) === 1) tell(uri, true);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (wanted.get(uri) ?? 1) - 1;
        if (left > 0) return void wanted.set(uri, left);
        wanted.delete(uri);
        tell(uri, false);
      };
    },
    connected(next) {
      client = next;
      listening = Promise.resolve(undefined);
      for (const uri of wanted.keys()) tell(uri, true);
    },
  };
}
