/** Resources that conversations have read: their servers tell when one changes, and each session hears of it once. */
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import type { LiveServer } from "../connection/live-server.ts";

interface ResourceWatch {
  /** A session has the text of a resource as it is now. */
  wasRead(live: LiveServer, uri: string, sessionId: string): void;
  /** A server says that a resource is another one. */
  updated(server: string, uri: string): void;
  newSource(sessionId: string): ContextSource;
}

/** Of one session. What was read before is long out of sight. */
const watchedMax = 20;

type Watched = { readonly live: LiveServer; readonly uri: string; readonly stop: () => void };

export function createResourceWatch(): ResourceWatch {
  /** By session and address, oldest first. */
  const sessions = new Map<string, Map<string, Watched>>();
  const notes = new Map<string, Map<string, ContextBlock>>();
  let updates = 0;
  const addressOf = (server: string, uri: string) => `mcp://${encodeURIComponent(server)}/${uri}`;

  function forget(watched: Map<string, Watched>, address: string): void {
    watched.get(address)?.stop();
    watched.delete(address);
  }

  return {
    wasRead(live, uri, sessionId) {
      const address = addressOf(live.server.name, uri);
      notes.get(sessionId)?.delete(address);
      const watched = sessions.get(sessionId) ?? new Map<string, Watched>();
      sessions.set(sessionId, watched);
      if (watched.has(address)) return;
      watched.set(address, { live, uri, stop: live.watchResource(uri) });
      const oldest = watched.size > watchedMax ? watched.keys().next().value : undefined;
      if (oldest !== undefined) forget(watched, oldest);
    },
    updated(server, uri) {
      const address = addressOf(server, uri);
      for (const [sessionId, watched] of sessions) {
        if (!watched.has(address)) continue;
        // Told once: whoever wants to know more reads it again, and is told again then.
        forget(watched, address);
        updates += 1;
        const own = notes.get(sessionId) ?? new Map<string, ContextBlock>();
        const text = "It changed since you read it. Read it again if you still need it.";
        notes.set(sessionId, own.set(address, { text, origin: address, hash: `${updates}` }));
      }
    },
    newSource: (sessionId) => ({
      name: "MCP resources",
      kind: "data",
      place: "turn",
      read: () => [...(notes.get(sessionId)?.values() ?? [])],
    }),
  };
}
