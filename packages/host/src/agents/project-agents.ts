/** Agents of all sessions of a project, from their records alone: running ones of other processes included. */
import { type AgentSessions, listAgents } from "@kedge/agents/runs";
import { type AgentSummary, emptySession, refused, type Store } from "@kedge/protocol";

/** Of more sessions the newest are looked at. */
const sessionsMax = 200;

export async function listProjectAgents(
  store: Store,
  projectId: string,
  now: () => number,
): Promise<readonly AgentSummary[]> {
  const sessions = await store.sessions({ projectId, limit: sessionsMax });
  const held = new Set(await store.heldSessions());
  const parents = new Set(sessions.flatMap(({ parentId }) => parentId ?? []));
  const children = new Set(sessions.filter(({ parentId }) => parentId !== undefined).map(({ sessionId }) => sessionId));
  const tops = sessions.filter(({ sessionId }) => parents.has(sessionId) && !children.has(sessionId));
  const reader = {
    sessions: storedSessions(store, now, held),
    lastAction: () => undefined,
    colorOf: () => undefined,
    parked: new Map(),
  };
  const lists = await Promise.all(tops.toReversed().map(({ sessionId }) => listAgents(reader, sessionId)));
  return lists.flat();
}

/** Reads records, and runs nothing. What a living process holds counts as open. */
function storedSessions(store: Store, now: () => number, held: ReadonlySet<string>): AgentSessions {
  const none = async () => refused("Nothing runs here.");
  return {
    newId: () => "",
    now,
    find: () => undefined,
    isHeld: (sessionId) => held.has(sessionId),
    open: () => [],
    async stored(sessionId) {
      if ((await store.session(sessionId)) === undefined) return undefined;
      const state = emptySession(sessionId);
      await store.fold(state);
      return state;
    },
    create: none,
    resume: none,
    submit: none,
    interrupt: async () => undefined,
    close: none,
    subscribe: () => () => undefined,
  };
}
