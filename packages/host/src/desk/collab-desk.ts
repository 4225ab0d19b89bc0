/** Sharing for clients: live rooms and snapshots. What is sent is said before, and sent only when confirmed. */
import {
  type Answer,
  type CommandAnswer,
  type CommandOf,
  notFound,
  type QueryAnswer,
  type QueryOf,
  refused,
} from "@kedge/protocol";
import type { Collab, Shares } from "../collab/index.ts";
import type { HostDeskParts } from "./host-desk.ts";

/** Opened with the first wish. */
export type SharingDesk = {
  collab(): Promise<Collab>;
  /** Undefined where nobody shared anything yet. */
  opened(): Promise<Collab> | undefined;
  shares(): Promise<Shares>;
  close(): Promise<void>;
};

type Parts = Pick<HostDeskParts, "store"> & { readonly sharing: SharingDesk };

const shows =
  "Guests see the whole conversation from the start, including file contents, command output, agents and costs. Whoever has the full link can also send prompts and interrupt. Nobody but you can answer permission questions, change settings or run commands. The relay passes on sealed messages and cannot read them.";

export function openSharingDesk(
  parts: HostDeskParts & { readonly onNotice: (sentence: string) => void; readonly current: () => HostDeskParts },
): SharingDesk {
  let collab: Promise<Collab> | undefined;
  const load = () => import("../collab/index.ts");
  return {
    collab() {
      collab ??= load().then(({ openCollab }) =>
        openCollab({ ...parts, settings: () => parts.current().configuration.collab }),
      );
      return collab;
    },
    opened: () => collab,
    shares: async () => (await load()).openShares({ ...parts, settings: () => parts.current().configuration.share }),
    close: async () => (await collab)?.close(),
  };
}

export async function startCollab(
  { sharing }: Parts,
  { sessionId, relay: wished, isConfirmed }: CommandOf<"collab.start">,
): Promise<CommandAnswer<"collab.start">> {
  const collab = await sharing.collab();
  const known = collab.linksOf(sessionId);
  if (known !== undefined) return { ok: true, value: { isShared: true, shows, ...known } };
  const relay = collab.relayFor(wished);
  if (!relay.ok) return relay;
  if (isConfirmed !== true) return { ok: true, value: { isShared: false, relay: relay.value, shows } };
  const started = await collab.start(sessionId, relay.value);
  return started.ok ? { ok: true, value: { isShared: true, relay: relay.value, shows, ...started.value } } : started;
}

export async function stopCollab(
  { sharing, store }: Parts,
  { sessionId }: CommandOf<"collab.stop">,
): Promise<CommandAnswer<"collab.stop">> {
  if ((await store.session(sessionId)) === undefined) return notFound("session", sessionId);
  const wasShared = (await (await sharing.opened())?.stop(sessionId, "The host stopped sharing")) ?? false;
  return { ok: true, value: { wasShared } };
}

export async function setGuestRights(
  { sharing }: Parts,
  { sessionId, guest, rights }: CommandOf<"collab.rights">,
): Promise<CommandAnswer<"collab.rights">> {
  const isSet = (await sharing.opened())?.setRights(sessionId, Number(guest), rights) ?? false;
  return isSet ? { ok: true, value: {} } : notFound("guest", guest);
}

export async function kickGuest(
  { sharing }: Parts,
  { sessionId, guest }: CommandOf<"collab.kick">,
): Promise<CommandAnswer<"collab.kick">> {
  return (await sharing.opened())?.rotate(sessionId, Number(guest)) ?? notShared();
}

export async function rotateCollab(
  { sharing }: Parts,
  { sessionId }: CommandOf<"collab.rotate">,
): Promise<CommandAnswer<"collab.rotate">> {
  return (await sharing.opened())?.rotate(sessionId) ?? notShared();
}

function notShared(): Answer<never> {
  return refused("The session is not shared.", "Share it with /collab.");
}

export async function readCollab(
  { sharing, store }: Parts,
  { sessionId }: QueryOf<"collab.status">,
): Promise<QueryAnswer<"collab.status">> {
  if ((await store.session(sessionId)) === undefined) return notFound("session", sessionId);
  const nobody = { isShared: false, isConnected: false, guests: [], refusals: [] };
  return { ok: true, value: (await sharing.opened())?.status(sessionId) ?? nobody };
}

export async function createShare(
  { sharing, store }: Parts,
  { sessionId, isConfirmed, withSecrets }: CommandOf<"share.create">,
): Promise<CommandAnswer<"share.create">> {
  const summary = await store.session(sessionId);
  if (summary === undefined) return notFound("session", sessionId);
  const shares = await sharing.shares();
  const own = await shares.prepareOwn(summary);
  if (own !== undefined) return isConfirmed === true ? shareByHandler(shares, own) : sizeOf(own);
  const prepared = await shares.prepare(summary, { withSecrets: withSecrets === true });
  if (!prepared.ok) return prepared;
  const { server, sealed, secrets } = prepared.value;
  const size = { server, bytes: sealed.length, secrets };
  if (isConfirmed !== true) return { ok: true, value: { isUploaded: false, ...size } };
  const uploaded = await shares.upload(sessionId, prepared.value);
  if (!uploaded.ok) return uploaded;
  const { shareId, link, expiresAt } = uploaded.value;
  return { ok: true, value: { isUploaded: true, ...size, shareId, link, expiresAt } };
}

type OwnPage = NonNullable<Awaited<ReturnType<Shares["prepareOwn"]>>>;

function sizeOf(own: OwnPage): CommandAnswer<"share.create"> {
  if (!own.ok) return own;
  const { handler, text, secrets } = own.value;
  return {
    ok: true,
    value: { isUploaded: false, server: handler, isHandler: true, bytes: Buffer.byteLength(text), secrets },
  };
}

async function shareByHandler(shares: Shares, own: OwnPage): Promise<CommandAnswer<"share.create">> {
  const size = sizeOf(own);
  if (!own.ok || !size.ok) return size;
  const link = await shares.runOwn(own.value);
  return link.ok ? { ok: true, value: { ...size.value, isUploaded: true, link: link.value } } : link;
}

export async function revokeShare(
  { sharing }: Parts,
  { shareId }: CommandOf<"share.revoke">,
): Promise<CommandAnswer<"share.revoke">> {
  return (await sharing.shares()).revoke(shareId);
}

export async function listShares({ sharing }: Parts): Promise<QueryAnswer<"share.list">> {
  const shares = await (await sharing.shares()).list();
  return { ok: true, value: { shares: shares.map(({ token: _, ...shown }) => shown) } };
}
