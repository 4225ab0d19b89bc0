/** Looks after a run of which nothing is heard: where its process died, nobody would ever tell that it is over. */
import type { Client } from "@kedge/protocol";

const silenceMs = 5_000;

export type RunWatch = {
  /** Something came of the session. */
  heard(): void;
  close(): void;
};

export function lookAfterRun(client: Client, sessionId: string, onProblem: (error: unknown) => void): RunWatch {
  const over = new AbortController();
  let events = 0;
  let eventsBefore = 0;
  const timer = setInterval(() => {
    if (events === eventsBefore) endLostRun(client, sessionId, over.signal).catch(onProblem);
    eventsBefore = events;
  }, silenceMs);
  return {
    heard() {
      events += 1;
    },
    close() {
      clearInterval(timer);
      over.abort();
    },
  };
}

/** Taking up the session closes what a crash left open; one that is open already stays as it is. */
async function endLostRun(client: Client, sessionId: string, signal: AbortSignal): Promise<void> {
  const found = await client.ask<"session.read">({ type: "session.read", sessionId }, { signal });
  // A failure is a server that is gone, or a lease that its successor does not have yet; both are looked at again.
  if (!found.ok || found.value.status.state !== "idle") return;
  await client.send<"session.resume">({ type: "session.resume", sessionId }, { signal });
}
