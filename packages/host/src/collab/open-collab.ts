/** Shared sessions of this host: started, stopped, moved to new keys. Opened when somebody first shares. */
import { type Answer, refused, relayAddress } from "@kedge/protocol";
import {
  formatRoomLink,
  type GuestRights,
  type HostKeys,
  type LinkForms,
  makeHostKeys,
  type OpenRoomSocket,
  type Participant,
} from "@kedge/protocol/room";
import { roomSocketWith } from "@kedge/server/relay";
import type { HostDeskParts } from "../desk/host-desk.ts";
import { createExportRedactor, readSecrets, secretValues } from "../transcripts/index.ts";
import type { CollabSettings } from "./collab-settings.ts";
import { openRoom, type Room } from "./room.ts";
import type { Refusal } from "./room-guests.ts";
import { openAccess } from "./session-access.ts";
import { createSharedTexts } from "./shared-texts.ts";

export type Links = { readonly full: LinkForms; readonly view: LinkForms };

export type Sharing = {
  readonly isShared: boolean;
  readonly isConnected: boolean;
  readonly relay?: string;
  readonly guests: readonly Participant[];
  readonly refusals: readonly Refusal[];
};

type Shared = { readonly room: Room; readonly keys: HostKeys; readonly relay: string };

export interface Collab {
  /** The relay that would be used; a failure where sharing is off or nobody named one. */
  relayFor(wished: string | undefined): Answer<string>;
  start(sessionId: string, relay: string): Promise<Answer<Links>>;
  linksOf(sessionId: string): (Links & { readonly relay: string }) | undefined;
  status(sessionId: string): Sharing;
  setRights(sessionId: string, guest: number, rights: GuestRights): boolean;
  /** To a new room, without this guest where one is named. */
  rotate(sessionId: string, without?: number): Promise<Answer<Links>>;
  stop(sessionId: string, reason: string): Promise<boolean>;
  close(): Promise<void>;
}

export type CollabParts = Pick<
  HostDeskParts,
  "engine" | "store" | "agents" | "project" | "home" | "environment" | "redact" | "now" | "network"
> & {
  readonly settings: () => CollabSettings;
  readonly onNotice: (sentence: string) => void;
  readonly openSocket?: OpenRoomSocket;
};

/** How often it is looked whether the session is still open. */
const lookMs = 5_000;

export function openCollab(parts: CollabParts): Collab {
  const { settings, onNotice, now } = parts;
  const openSocket =
    parts.openSocket ?? roomSocketWith({ ...(parts.network.ca !== undefined && { ca: parts.network.ca }) });
  const shared = new Map<string, Shared>();
  const timer = setInterval(endClosed, lookMs);
  timer.unref();

  function endClosed(): void {
    const open = new Set(parts.engine.openSessions().map(({ state }) => state.sessionId));
    for (const sessionId of shared.keys()) if (!open.has(sessionId)) void stop(sessionId, "The session was closed");
  }

  async function open(sessionId: string, relay: string): Promise<Answer<Shared>> {
    const secrets = await readSecrets(parts.home.directory);
    if (!secrets.ok) return refused(secrets.sentence);
    const redactor = createExportRedactor({ ...parts, secrets: secrets.entries });
    if (!redactor.ok) return refused(redactor.sentence);
    const { hidesPermissions } = settings();
    const keys = await makeHostKeys();
    const room = openRoom({
      ...{ keys, relay, openSocket, now, hidesPermissions },
      access: await openAccess(sessionId, parts),
      texts: createSharedTexts({
        ...{ redact: redactor.redact, hidesPermissions },
        needsWholeLines:
          secrets.entries.length > 0 || secretValues(parts.environment).some((value) => /\s/.test(value)),
      }),
      onEnd(reason) {
        if (shared.get(sessionId)?.room !== room) return;
        shared.delete(sessionId);
        onNotice(`The session is no longer shared: ${reason}.`);
      },
    });
    const problem = await room.opened;
    if (problem === undefined) return { ok: true, value: { room, keys, relay } };
    await room.close(problem);
    return refused(`Cannot share through ${relay}: ${problem}.`, "Check the relay's address and that it is running.");
  }

  async function stop(sessionId: string, reason: string): Promise<boolean> {
    const known = shared.get(sessionId);
    shared.delete(sessionId);
    await known?.room.close(reason);
    return known !== undefined;
  }

  return {
    relayFor(wished) {
      const { isEnabled, relayUrl } = settings();
      if (!isEnabled) return refused("Sharing is turned off.", "Set collab.enabled to true.");
      const relay = wished === undefined ? relayUrl : relayAddress(wished);
      if (relay !== undefined) return { ok: true, value: relay };
      if (wished !== undefined) {
        return refused(`${JSON.stringify(wished)} is not a relay address.`, "Use wss://relay.example.com.");
      }
      return refused("No relay is set.", "Set collab.relayUrl, or run your own with kedge relay.");
    },
    async start(sessionId, relay) {
      const known = shared.get(sessionId);
      if (known !== undefined) return { ok: true, value: linksOf(known) };
      const opened = await open(sessionId, relay);
      if (!opened.ok) return opened;
      shared.set(sessionId, opened.value);
      return { ok: true, value: linksOf(opened.value) };
    },
    linksOf(sessionId) {
      const known = shared.get(sessionId);
      return known && { ...linksOf(known), relay: known.relay };
    },
    status(sessionId) {
      const known = shared.get(sessionId);
      if (known === undefined) return { isShared: false, isConnected: false, guests: [], refusals: [] };
      const { room, relay } = known;
      const { guests } = room;
      return {
        ...{ isShared: true, isConnected: room.isConnected(), relay },
        ...{ guests: guests.participants(), refusals: guests.refusals() },
      };
    },
    setRights: (sessionId, guest, rights) => shared.get(sessionId)?.room.setRights(guest, rights) ?? false,
    async rotate(sessionId, without) {
      const old = shared.get(sessionId);
      if (old === undefined) return refused("The session is not shared.");
      if (without !== undefined && old.room.guests.find(without) === undefined) {
        return refused(`No guest with the number ${without}.`, "List guests with /collab status.");
      }
      const opened = await open(sessionId, old.relay);
      if (!opened.ok) return opened;
      shared.set(sessionId, opened.value);
      const { keys, relay } = opened.value;
      const moved = old.room.guests.present().filter(({ number }) => number !== without);
      await old.room.move(moved, (rights) => linkFor(keys, relay, rights).join);
      await old.room.close(without === undefined ? "The session moved to new links" : "The host removed you");
      return { ok: true, value: linksOf(opened.value) };
    },
    stop,
    async close() {
      clearInterval(timer);
      await Promise.all([...shared.keys()].map((sessionId) => stop(sessionId, "The host exited kedge")));
    },
  };
}

function linkFor({ room, key, writeToken }: HostKeys, relay: string, rights: GuestRights): LinkForms {
  return formatRoomLink({ relay, room, key, ...(rights === "full" && { writeToken }) });
}

function linksOf({ keys, relay }: Shared): Links {
  return { full: linkFor(keys, relay, "full"), view: linkFor(keys, relay, "view") };
}
