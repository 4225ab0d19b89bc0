/** A session that is shared through a relay on loopback, with everything real but the model. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRelay } from "@kedge/host/collab";
import { collectView, messagesOf } from "@kedge/protocol";
import { parseRoomLink, type RoomLink } from "@kedge/protocol/room";
import { type JoinedRoom, joinRoom } from "@kedge/sdk/room";
import type { MockScript } from "@kedge/testing";
import { roomSocketWith } from "../../src/relay/room-socket.ts";
import { openSite, type ServerSite } from "../http/server-site.ts";

export type SharedSite = {
  readonly site: ServerSite;
  readonly sessionId: string;
  readonly relay: string;
  readonly links: { readonly full: Links; readonly view: Links };
  join(link: string, name?: string): Promise<JoinedRoom>;
  /** What the engine's own store makes of the session, as messages. */
  ownMessages(): Promise<unknown>;
  status(): Promise<Status>;
  close(): Promise<void>;
};

type Links = { readonly page: string; readonly join: string };

type Status = {
  readonly isShared: boolean;
  readonly guests: readonly { readonly guest: number; readonly name: string; readonly rights: string }[];
  readonly refusals: readonly { readonly guest: string; readonly what: string; readonly why: string }[];
};

export async function openSharedSite(script: MockScript, settings: object = {}): Promise<SharedSite> {
  const directory = mkdtempSync(join(tmpdir(), "kedge-relay-"));
  const started = await startRelay({
    ...{ port: 0, hostname: "127.0.0.1", now: Date.now },
    ...{ snapshots: join(directory, "snapshots"), page: join(directory, "page") },
  });
  if (!started.ok) throw new Error(started.failure.message);
  const { url: relay, close: closeRelay } = started.value;
  const site = await openSite({ script, settings: { collab: { relayUrl: relay }, ...settings } });
  const sessionId = await site.newSession();
  const shared = await site.call("POST", `/session/${sessionId}/collab`, { body: { isConfirmed: true } });
  if (shared.status !== 200) throw new Error(shared.text);
  const links = shared.json as SharedSite["links"];
  const rooms: JoinedRoom[] = [];

  return {
    ...{ site, sessionId, relay, links },
    async join(link, name = "guest") {
      const joined = await joinRoom({
        ...{ link: linkOf(link), name, now: Date.now, openSocket: roomSocketWith({}) },
      });
      if (!joined.ok) throw new Error(joined.problem);
      rooms.push(joined.room);
      return joined.room;
    },
    async ownMessages() {
      const [client] = site.clients;
      if (client === undefined) throw new Error("no place of work is open");
      const records = [];
      for await (const record of client.facts(sessionId)) records.push(record);
      return messagesOf(collectView(sessionId, records));
    },
    async status() {
      return (await site.call("GET", `/session/${sessionId}/collab`)).json as Status;
    },
    async close() {
      for (const room of rooms) room.leave();
      await site.close();
      await closeRelay();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function linkOf(text: string): RoomLink {
  const parsed = parseRoomLink(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.link;
}

/** Asks again until it holds; the time limit of the test ends what never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Follows until the run of the last prompt has ended. */
export async function readUntilEnd(room: JoinedRoom): Promise<void> {
  const abort = new AbortController();
  for await (const event of room.client.events(room.session.sessionId, 0, abort.signal)) {
    if (event.kind === "fact" && event.record.fact.type === "run.ended") abort.abort();
  }
}
