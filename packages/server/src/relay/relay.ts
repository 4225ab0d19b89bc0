/** `kedge relay`: one small server that connects hosts with guests and keeps sealed snapshots. It can read neither. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import {
  bytesOfBase64Url,
  guestFrameBytesMax,
  type HostWord,
  hostClaim,
  hostFrameBytesMax,
  isKeyOfRoom,
  isSignedBy,
  readWord,
} from "@kedge/protocol/room";
import { WebSocketServer } from "ws";
import { createAllowance } from "./relay-limits.ts";
import { createRooms, isRoomName } from "./rooms.ts";
import { openSnapshots, type Snapshots, snapshotBytesMax } from "./snapshots.ts";

export type PageFile = { readonly type: string; readonly body: Uint8Array };

export type RelayParts = {
  readonly now: () => number;
  /** Certificate and key as PEM text; without them it is for this machine, or for a proxy in front of it. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** A file of the guests' page by its path, such as `/` or `/assets/x.js`. */
  readonly page: (path: string) => Promise<PageFile | undefined>;
  /** Where snapshots are kept; none are without it. */
  readonly snapshots?: string;
  /** The address of a caller stands in `X-Forwarded-For`, written by a proxy in front of this. */
  readonly trustsProxy?: boolean;
  /** Called about every 15 seconds. */
  readonly onBeat: (beat: () => void) => () => void;
};

export type Relay = { readonly server: Server; close(): Promise<void> };

const frameOverhead = 128;
const connectionsPerMinute = 120;
const uploadsPerHour = 20;
const minute = 60_000;
const hour = 60 * minute;

/** Nothing on the page may be loaded from elsewhere, and it may talk to this relay alone. */
const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
} as const;

export function createRelay(parts: RelayParts): Relay {
  const { now, page, trustsProxy = false, onBeat } = parts;
  const newSecret = () => randomBytes(16).toString("base64url");
  const rooms = createRooms({ now, isHost, newNonce: newSecret });
  const snapshots =
    parts.snapshots === undefined ? undefined : openSnapshots({ directory: parts.snapshots, now, newSecret });
  const connections = createAllowance({ max: connectionsPerMinute, windowMs: minute, now });
  const uploads = createAllowance({ max: uploadsPerHour, windowMs: hour, now });
  const sockets = {
    host: new WebSocketServer({ noServer: true, maxPayload: hostFrameBytesMax + frameOverhead }),
    guest: new WebSocketServer({ noServer: true, maxPayload: guestFrameBytesMax + frameOverhead }),
  };
  const addressOf = (request: IncomingMessage) =>
    (trustsProxy ? lastForwarded(request) : undefined) ?? request.socket.remoteAddress ?? "";

  const limits = { maxHeaderSize: 8 * 1024, requestTimeout: minute };
  const server = parts.tls === undefined ? createServer(limits) : createTlsServer({ ...limits, ...parts.tls });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => {
      // What went wrong may name the request, and requests are not logged.
      if (!response.headersSent) send(response, 500, "Internal error.");
      else response.destroy();
    });
  });

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname, searchParams } = urlOf(request);
    const room = /^\/r\/([^/]+)$/.exec(pathname)?.[1] ?? "";
    const role = searchParams.get("role");
    if (!isRoomName(room) || (role !== "host" && role !== "guest")) return refuse(socket, "404 Not Found");
    if (!connections.take(addressOf(request))) return refuse(socket, "429 Too Many Requests");
    sockets[role].handleUpgrade(request, socket, head, (client) => {
      if (role === "host") rooms.joinAsHost(room, client);
      else rooms.joinAsGuest(room, client);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = urlOf(request);
    if (pathname === "/healthz")
      return send(response, 200, JSON.stringify({ ok: true, ...rooms.count() }), "application/json");
    if (pathname === "/s" || pathname.startsWith("/s/")) return answerSnapshot(request, response, pathname);
    if (request.method !== "GET" && request.method !== "HEAD") return send(response, 405, "Only GET.");
    const file = await page(pathname);
    if (file === undefined) return send(response, 404, "Not found.");
    response.writeHead(200, { ...pageHeaders, "content-type": file.type, "cache-control": "no-cache" });
    response.end(request.method === "HEAD" ? undefined : file.body);
  }

  async function answerSnapshot(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    if (snapshots === undefined) return send(response, 404, "This relay does not store snapshots.");
    if (pathname === "/s") {
      if (request.method !== "POST") return send(response, 405, "Only POST.");
      if (!uploads.take(addressOf(request))) return send(response, 429, "Too many snapshots. Try again in an hour.");
      return keepSnapshot(request, response, snapshots);
    }
    const [, id = "", raw] = /^\/s\/([^/]+)(\/raw)?$/.exec(pathname) ?? [];
    if (request.method === "DELETE") {
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const isGone = await snapshots.remove(id, token);
      return isGone ? send(response, 200, "Deleted.") : send(response, 404, "Not found.");
    }
    if (request.method !== "GET") return send(response, 405, "Only GET and DELETE are allowed.");
    if (raw === undefined) {
      const file = await page("/");
      if (file === undefined) return send(response, 404, "Not found.");
      response.writeHead(200, { ...pageHeaders, "content-type": file.type, "cache-control": "no-cache" });
      response.end(file.body);
      return;
    }
    const sealed = await snapshots.read(id);
    if (sealed === undefined) return send(response, 404, "Not found.");
    response.writeHead(200, {
      ...pageHeaders,
      "content-type": "application/octet-stream",
      "cache-control": "no-store",
    });
    response.end(sealed);
  }

  const stopBeat = onBeat(() => {
    rooms.beat();
    // A directory that cannot be read now is looked at again with the next beat.
    snapshots?.prune().catch(() => undefined);
  });

  return {
    server,
    async close() {
      stopBeat();
      rooms.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function keepSnapshot(request: IncomingMessage, response: ServerResponse, snapshots: Snapshots): Promise<void> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > snapshotBytesMax) return send(response, 413, "Snapshots are limited to 10 MB.");
    chunks.push(chunk);
  }
  if (length === 0) return send(response, 400, "The snapshot is empty.");
  send(response, 201, JSON.stringify(await snapshots.add(Buffer.concat(chunks))), "application/json");
}

async function isHost(room: string, nonce: string, text: string): Promise<boolean> {
  const word = readWord<HostWord>(text);
  if (word?.type !== "proof") return false;
  const publicKey = bytesOfBase64Url(String(word.publicKey));
  const signature = bytesOfBase64Url(String(word.signature));
  const name = bytesOfBase64Url(room);
  if (publicKey === undefined || signature === undefined || name === undefined) return false;
  return (await isKeyOfRoom(publicKey, name)) && isSignedBy(publicKey, signature, hostClaim(nonce));
}

function urlOf(request: IncomingMessage): URL {
  const given = request.url ?? "/";
  return URL.canParse(given, "http://relay") ? new URL(given, "http://relay") : new URL("http://relay/unknown");
}

/** The one that the nearest proxy wrote; those before it are anybody's. */
function lastForwarded({ headers }: IncomingMessage): string | undefined {
  return (
    String(headers["x-forwarded-for"] ?? "")
      .split(",")
      .at(-1)
      ?.trim() || undefined
  );
}

function send(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
