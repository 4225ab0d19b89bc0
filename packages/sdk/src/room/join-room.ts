/** Joins a shared session by its link: a Client like any other, for as long as the host shares. */
import type { Client } from "@kedge/protocol";
import {
  base64UrlOf,
  type OpenRoomSocket,
  type Participant,
  type RoomLink,
  type RoomSession,
  randomBytesOf,
} from "@kedge/protocol/room";
import { connectAsGuest, type GuestState } from "./guest-connection.ts";
import { createRoomClient, type RoomAct } from "./room-client.ts";
import { createRoomSessions, type Done } from "./room-sessions.ts";

export type JoinOptions = {
  readonly link: RoomLink;
  /** Used where the link names no relay. */
  readonly relay?: string;
  readonly name: string;
  readonly openSocket: OpenRoomSocket;
  readonly now: () => number;
};

export type JoinedRoom = {
  readonly client: Client;
  readonly session: RoomSession;
  readonly you: () => Participant;
  readonly participants: () => readonly Participant[];
  readonly onState: (listener: (state: GuestState) => void) => () => void;
  /** Told when somebody came, left, or got other rights. */
  readonly onPeople: (listener: () => void) => () => void;
  /** Why it ended, unless the guest left. */
  readonly ended: Promise<string | undefined>;
  leave(): void;
};

export type Joining =
  | { readonly ok: true; readonly room: JoinedRoom }
  | { readonly ok: false; readonly problem: string };

export async function joinRoom(options: JoinOptions): Promise<Joining> {
  const { link, now, name, openSocket } = options;
  const relay = link.relay ?? options.relay;
  if (relay === undefined)
    return { ok: false, problem: "The link does not name a relay, and collab.relayUrl is not set." };
  const listeners = new Set<(state: GuestState) => void>();
  const watchers = new Set<() => void>();
  const acts = new Map<string, (done: Done) => void>();
  const ended = Promise.withResolvers<string | undefined>();
  const sessions = createRoomSessions({
    now,
    send: (frame) => connection.send(frame),
    onDone: (done) => acts.get(done.act)?.(done),
  });
  const connection = connectAsGuest({
    ...{ link, relay, name, openSocket, now },
    after: sessions.lastSeq,
    onFrame(frame) {
      sessions.show(frame);
      if (frame.type === "welcome" || frame.type === "state") for (const watcher of watchers) watcher();
    },
    onState(state) {
      for (const listener of listeners) listener(state);
    },
    onEnd: finish,
  });

  function finish(reason: string | undefined): void {
    sessions.close();
    for (const answer of acts.values()) answer({ type: "done", act: "", problem: "The connection was closed." });
    ended.resolve(reason);
  }

  async function act(wish: RoomAct): Promise<Done> {
    const id = base64UrlOf(randomBytesOf(12));
    const answered = Promise.withResolvers<Done>();
    acts.set(id, answered.resolve);
    try {
      await connection.act({ v: 1, act: id, ...wish });
      return await answered.promise;
    } catch {
      return { type: "done", act: id, problem: "Not connected to the host. Try again in a moment." };
    } finally {
      acts.delete(id);
    }
  }

  const problem = await Promise.race([sessions.caughtUp.then(() => undefined), ended.promise.then((why) => why ?? "")]);
  const session = sessions.session();
  if (problem !== undefined || session === undefined) {
    connection.close();
    return { ok: false, problem: problem ?? "The host did not answer." };
  }
  const onState: JoinedRoom["onState"] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const you = (): Participant => sessions.you() ?? { guest: 0, name, rights: "view" };
  const { agents, replica, participants } = sessions;
  const client = createRoomClient({
    ...{ agents, replica, onState, act },
    session: () => sessions.session() ?? session,
    rights: () => you().rights,
  });
  return {
    ok: true,
    room: {
      ...{ client, session, you, participants, onState, ended: ended.promise },
      onPeople(listener) {
        watchers.add(listener);
        return () => watchers.delete(listener);
      },
      leave() {
        connection.close();
        finish(undefined);
      },
    },
  };
}
