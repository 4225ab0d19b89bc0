/** Everything behind the screen of a guest: the joined room, the state of its session, and what a guest may do. */
import type { Delivery } from "@kedge/protocol";
import type { Participant } from "@kedge/protocol/room";
import type { GuestState, JoinedRoom } from "@kedge/sdk/room";
import {
  type ClientState,
  createEventTelling,
  createNotices,
  createSessionMirror,
  createStateStore,
  failureText,
  type StateStore,
} from "@kedge/tui/session";
import { emptyState, soon } from "../session/mirror-parts.ts";
import * as texts from "../texts/guest.ts";

export type RoomState = {
  readonly connection: GuestState | "ended";
  /** Why it ended. */
  readonly reason?: string;
  readonly you: Participant;
  readonly participants: readonly Participant[];
};

export interface RoomView {
  readonly store: StateStore<ClientState>;
  readonly room: StateStore<RoomState>;
  /** The name of the project's directory. */
  readonly project: string;
  /** False when it was refused, which is shown. */
  submit(text: string, delivery: Delivery): Promise<boolean>;
  interrupt(): Promise<void>;
  readOlder(): Promise<void>;
}

export async function openRoomView(window: Window, joined: JoinedRoom): Promise<RoomView> {
  const { client, session } = joined;
  const { sessionId, project } = session;
  const now = () => Date.now();
  const store = createStateStore<ClientState>(emptyState(now()));
  const people = () => ({ you: joined.you(), participants: joined.participants() });
  const room = createStateStore<RoomState>({ connection: "connected", ...people() });
  const notice = createNotices(store);
  const events = createEventTelling({ store, now, notice, notify: () => {} });
  const mirror = createSessionMirror({
    ...{ client, store, now, schedule: soon(window), onEvent: events.tell },
    onLost: (sentence) => notice("error", sentence),
  });
  joined.onState((connection) => room.update((before) => ({ ...before, connection })));
  joined.onPeople(() => room.update((before) => ({ ...before, ...people() })));
  void joined.ended.then((reason = texts.youLeft) =>
    room.update((before) => ({ ...before, connection: "ended", reason })),
  );
  await mirror.open(sessionId);
  return {
    ...{ store, room, project, readOlder: mirror.readOlder },
    async submit(text, delivery) {
      const command = { type: "prompt.submit", sessionId, text, delivery, options: {} } as const;
      const sent = await client.send<"prompt.submit">(command);
      if (!sent.ok) notice("error", failureText(sent.failure));
      return sent.ok;
    },
    async interrupt() {
      const sent = await client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
      if (!sent.ok) notice("error", failureText(sent.failure));
    },
  };
}
