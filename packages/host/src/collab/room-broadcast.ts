/** What all guests of a room are told: facts and signals of the session, its agents, and who is there. */
import { everyone } from "@kedge/protocol/room";
import type { RoomAccess } from "./room-access.ts";
import type { RoomConnection } from "./room-connection.ts";
import type { Guests } from "./room-guests.ts";
import type { SharedTexts } from "./shared-texts.ts";

export type BroadcastParts = {
  readonly access: RoomAccess;
  readonly texts: SharedTexts;
  readonly guests: Guests;
  readonly send: RoomConnection["send"];
};

interface Broadcast {
  /** Soon: many changes at once are told once. */
  tellState(): void;
  close(): void;
}

const stateDelayMs = 100;
const agentFacts: ReadonlySet<string> = new Set(["agent.started", "agent.ended"]);

export function startBroadcast({ access, texts, guests, send }: BroadcastParts): Broadcast {
  let stateTimer: NodeJS.Timeout | undefined;

  function tellState(): void {
    stateTimer ??= setTimeout(() => {
      stateTimer = undefined;
      const [isRunning, lastSeq] = [access.isRunning(), access.lastSeq()];
      send(everyone, { type: "state", participants: guests.participants(), isRunning, lastSeq });
    }, stateDelayMs);
  }

  const unfollow = access.follow((sessionId, event) => {
    const present = guests.present();
    if (present.length === 0) return;
    const isMain = sessionId === access.sessionId;
    if (event.kind === "fact") {
      const records = [texts.record(event.record)];
      send(everyone, isMain ? { type: "entry", records } : { type: "bus", records });
      if (isMain) tellState();
      if (!agentFacts.has(event.record.fact.type)) return;
      void access.agents().then((agents) => send(everyone, { type: "agents", agents }));
      return;
    }
    const signal = isMain ? texts.signal(event.signal) : undefined;
    if (signal === undefined) return;
    if (present.every(({ isBehind }) => !isBehind)) return send(everyone, { type: "event", signal });
    // Whoever is behind gets the facts alone until it has caught up.
    for (const { number, isBehind } of present) if (!isBehind) send(number, { type: "event", signal });
  });

  return {
    tellState,
    close() {
      unfollow();
      clearTimeout(stateTimer);
    },
  };
}
