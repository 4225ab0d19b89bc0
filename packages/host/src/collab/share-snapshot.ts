/** Sealed snapshots of sessions: what would be sent is said first, and only whoever has the link can read them. */
import { gzipSync } from "node:zlib";
import { type Answer, reasonOf, redactionMark, refused, type SessionSummary } from "@kedge/protocol";
import { base64UrlOf, joinBytes, randomBytesOf } from "@kedge/protocol/room";
import { snapshotBytesMax } from "@kedge/server/relay";
import type { HostDeskParts } from "../desk/host-desk.ts";
import type { ShareSettings } from "./collab-settings.ts";
import {
  findShareHandler,
  type HandlerParts,
  type PreparedPage,
  preparePage,
  runShareHandler,
} from "./share-handler.ts";
import { openShareList, type SharedSnapshot } from "./share-list.ts";

export type Snapshot = {
  readonly server: string;
  readonly sealed: Uint8Array<ArrayBuffer>;
  readonly key: string;
  /** How many texts were replaced. */
  readonly secrets: number;
};

export type Uploaded = SharedSnapshot & { readonly link: string };

type Parts = HandlerParts & Pick<HostDeskParts, "now"> & { readonly settings: () => ShareSettings };

const uploadMsMax = 60_000;

export function openShares(parts: Parts) {
  const { sessionFiles, home, now, settings } = parts;
  const list = openShareList(home.directory);

  return {
    list: list.read,

    /** What the user's own handler would get; undefined where there is none. */
    async prepareOwn(summary: SessionSummary): Promise<Answer<PreparedPage> | undefined> {
      const handler = findShareHandler(parts);
      if (handler === undefined) return undefined;
      return settings().isEnabled ? preparePage(parts, handler, summary) : turnedOff();
    },

    runOwn: (page: PreparedPage) => runShareHandler(parts, page),

    /** Nothing is sent. */
    async prepare(
      summary: SessionSummary,
      { withSecrets }: { readonly withSecrets: boolean },
    ): Promise<Answer<Snapshot>> {
      const { isEnabled, serverUrl, redactsSecrets } = settings();
      if (!isEnabled) return turnedOff();
      if (serverUrl === undefined) {
        return refused("No server for copies is set.", "Set share.serverUrl, or run your own with kedge relay.");
      }
      const exported = await sessionFiles.export(summary, {
        format: "json",
        isPlain: withSecrets || !redactsSecrets,
        withoutToolOutput: false,
        withoutReasoning: false,
      });
      if (!exported.ok) return exported;
      let text = "";
      for await (const piece of exported.pieces) text += piece;
      const key = randomBytesOf(32);
      const sealed = await seal(key, gzipSync(text));
      if (sealed.length > snapshotBytesMax) {
        const size = (sealed.length / 1024 / 1024).toFixed(1);
        return refused(`The copy is ${size} MB; the limit is 10 MB.`, "Export it with /export instead.");
      }
      const secrets = text.match(redactionMark)?.length ?? 0;
      return { ok: true, value: { server: serverUrl, sealed, key: base64UrlOf(key), secrets } };
    },

    async upload(sessionId: string, { server, sealed, key }: Snapshot): Promise<Answer<Uploaded>> {
      const answered = await ask(server, "/s", { method: "POST", body: sealed });
      if (!answered.ok) return answered;
      const { id, token, expiresAt } = answered.value as { id: string; token: string; expiresAt: number };
      const share = { shareId: id, sessionId, server, token, createdAt: now(), expiresAt };
      await list.add(share);
      return { ok: true, value: { ...share, link: `${pageOf(server)}/s/${id}#${key}` } };
    },

    async revoke(shareId: string): Promise<Answer<object>> {
      const known = (await list.read()).find((share) => share.shareId === shareId);
      if (known === undefined)
        return refused(`No uploaded copy with the id ${shareId}.`, "List copies with kedge share list.");
      const headers = { authorization: `Bearer ${known.token}` };
      const answered = await ask(known.server, `/s/${shareId}`, { method: "DELETE", headers });
      // One that the server no longer has is gone as well.
      if (!answered.ok && !answered.isAbsent) return answered;
      await list.remove(shareId);
      return { ok: true, value: {} };
    },
  };
}

function turnedOff(): Answer<never> {
  return refused("Uploading copies is turned off.", "Set share.enabled to true.");
}

export type Shares = ReturnType<typeof openShares>;

async function seal(key: Uint8Array<ArrayBuffer>, content: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const iv = randomBytesOf(12);
  const secret = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, secret, new Uint8Array(content));
  return joinBytes(iv, new Uint8Array(sealed));
}

function pageOf(server: string): string {
  return server.replace(/^ws/, "http");
}

type Asked = Answer<unknown> & { readonly isAbsent?: boolean };

async function ask(server: string, path: string, request: RequestInit): Promise<Asked> {
  const failed = (why: string, isAbsent = false): Asked => {
    const failure = { code: "connection_error", message: `${pageOf(server)} ${why}.`, retryable: true } as const;
    return { ok: false, failure, isAbsent };
  };
  try {
    const answer = await fetch(`${pageOf(server)}${path}`, {
      ...request,
      redirect: "error",
      signal: AbortSignal.timeout(uploadMsMax),
    });
    if (!answer.ok) return failed(`answered with status ${answer.status}`, answer.status === 404);
    const text = await answer.text();
    return { ok: true, value: text.startsWith("{") ? JSON.parse(text) : {} };
  } catch (error) {
    return failed(`cannot be reached: ${reasonOf(error)}`);
  }
}
