/** The sessions of a room as they arrive: fed by frames of the host, and asking again for what got lost on the way. */
import type { AgentSummary } from "@kedge/protocol";
import type { GuestFrame, Participant, RoomSession } from "@kedge/protocol/room";
import type { ShownFrame } from "./guest-connection.ts";
import { createReplica, type SessionReplica } from "./session-replica.ts";

export type Done = Extract<ShownFrame, { readonly type: "done" }>;

interface RoomSessions {
  show(frame: ShownFrame): void;
  readonly session: () => RoomSession | undefined;
  readonly you: () => Participant | undefined;
  readonly participants: () => readonly Participant[];
  readonly agents: () => readonly AgentSummary[];
  /** Resolves when everything that was said before is here. */
  readonly caughtUp: Promise<void>;
  /** The newest fact of the session that is here. */
  lastSeq(): number;
  /** Of the session or one of its agents; fetched where it is not here yet. Undefined for any other. */
  replica(sessionId: string): Promise<SessionReplica | undefined>;
  close(): void;
}

export type RoomSessionParts = {
  readonly now: () => number;
  /** Rejects while there is no connection. */
  readonly send: (frame: GuestFrame) => Promise<void>;
  readonly onDone: (done: Done) => void;
};

const retryMs = 2_000;

export function createRoomSessions({ now, send, onDone }: RoomSessionParts): RoomSessions {
  const replicas = new Map<string, SessionReplica>();
  const fetched = new Map<string, PromiseWithResolvers<void>>();
  const caughtUp = Promise.withResolvers<void>();
  let session: RoomSession | undefined;
  let you: Participant | undefined;
  let participants: readonly Participant[] = [];
  let agents: readonly AgentSummary[] = [];
  /** What was said before is on its way. */
  let isFetching = true;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function replicaOf(sessionId: string): SessionReplica {
    const replica = replicas.get(sessionId) ?? createReplica(sessionId, now);
    replicas.set(sessionId, replica);
    return replica;
  }

  function fetch(agent: string, since: number): void {
    // A connection that is down says where it is when it is up again.
    send({ v: 1, type: "fetch-transcript", agent, since }).catch(() => undefined);
  }

  /** Until they come, the facts behind them wait. */
  function fetchMissing(sessionId: string): void {
    if (isFetching) return;
    isFetching = true;
    fetch("main", replicaOf(sessionId).lastSeq());
    // The answer may get lost as well.
    retry = setTimeout(() => {
      isFetching = false;
      if (!replicaOf(sessionId).take([])) fetchMissing(sessionId);
    }, retryMs);
  }

  function takeEntries({ records, isCaughtUp }: Extract<ShownFrame, { readonly type: "entry" }>): void {
    if (session === undefined) return;
    const isWhole = replicaOf(session.sessionId).take(records);
    if (isCaughtUp) {
      caughtUp.resolve();
      isFetching = false;
    }
    if (!isWhole) fetchMissing(session.sessionId);
  }

  function show(frame: ShownFrame): void {
    switch (frame.type) {
      case "welcome":
        ({ session, you } = frame);
        isFetching = true;
        return;
      case "entry":
        takeEntries(frame);
        return;
      case "event":
        if (session !== undefined) replicaOf(session.sessionId).signal(frame.signal);
        return;
      case "bus":
        for (const record of frame.records)
          if (replicas.has(record.sessionId)) replicaOf(record.sessionId).take([record]);
        return;
      case "transcript":
        replicaOf(frame.agent).take(frame.records);
        if (frame.isComplete) fetched.get(frame.agent)?.resolve();
        return;
      case "agents":
        // As the host listed them.
        agents = frame.agents as readonly AgentSummary[];
        return;
      case "state":
        ({ participants } = frame);
        you = participants.find(({ guest }) => guest === you?.guest) ?? you;
        if (session !== undefined && frame.lastSeq > replicaOf(session.sessionId).lastSeq())
          fetchMissing(session.sessionId);
        return;
      case "done":
        onDone(frame);
        return;
    }
  }

  return {
    show,
    session: () => session,
    you: () => you,
    participants: () => participants,
    agents: () => agents,
    caughtUp: caughtUp.promise,
    lastSeq: () => (session === undefined ? 0 : replicaOf(session.sessionId).lastSeq()),
    async replica(sessionId) {
      if (sessionId === session?.sessionId) return replicaOf(sessionId);
      if (!agents.some(({ agentId }) => agentId === sessionId)) return undefined;
      if (!fetched.has(sessionId)) {
        fetched.set(sessionId, Promise.withResolvers());
        fetch(sessionId, replicaOf(sessionId).lastSeq());
      }
      await fetched.get(sessionId)?.promise;
      return replicaOf(sessionId);
    },
    close: () => clearTimeout(retry),
  };
}
