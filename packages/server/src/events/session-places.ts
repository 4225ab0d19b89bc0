/** Which sessions belong to a place of work, looked up once for each. */
import type { Fact, Store } from "@kedge/protocol";

export type SessionPlace = { readonly projectId: string; readonly directory: string };

interface SessionPlaces {
  /** Undefined for what is not known yet; `null` for chains that are no sessions. */
  known(sessionId: string): SessionPlace | null | undefined;
  find(sessionId: string, fact?: Fact): Promise<SessionPlace | null>;
}

/** Those of the sessions that something happened in last. */
const placesMax = 10_000;

export function createSessionPlaces(store: Pick<Store, "session" | "tail">): SessionPlaces {
  const places = new Map<string, SessionPlace | null>();

  async function lookUp(sessionId: string, fact: Fact | undefined): Promise<SessionPlace | null> {
    if (fact?.type === "session.created") return placeOf(fact);
    const summary = await store.session(sessionId);
    if (summary !== undefined) return placeOf(summary);
    // A deleted session is listed no more, but its first fact still says where it was.
    for await (const { record } of store.tail(0, sessionId)) {
      return record.fact.type === "session.created" ? placeOf(record.fact) : null;
    }
    return null;
  }

  return {
    known: (sessionId) => places.get(sessionId),
    async find(sessionId, fact) {
      const known = places.get(sessionId);
      if (known !== undefined) return known;
      const place = await lookUp(sessionId, fact);
      places.set(sessionId, place);
      const [oldest] = places.keys();
      if (places.size > placesMax && oldest !== undefined) places.delete(oldest);
      return place;
    },
  };
}

function placeOf({ projectId, directory }: SessionPlace): SessionPlace {
  return { projectId, directory };
}
