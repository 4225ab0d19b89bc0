/** The only way out of a sandbox: an HTTP proxy that judges every host and connects to the very address it judged. */
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hostPattern, judgeEgress } from "./egress-judgement.ts";

export type EgressProxyParts = {
  /** In a directory that only this user can enter. */
  readonly socketPath: string;
  readonly allowedHosts: readonly string[];
  /** Asks the machine's resolver if left out. No address means that the name is unknown. */
  readonly lookUp?: (name: string) => Promise<readonly string[]>;
  /** Whom to ask about a host that is not on the list, by the word with which a command speaks to the proxy. */
  readonly askerOf?: (word: string) => AskHost | undefined;
};

/** Whether a command may reach `host` or `host:port`. */
export type AskHost = (host: string) => Promise<boolean>;

export type EgressProxy = { close(): void };

export const connectionsMax = 128;
const headerBytesMax = 16 * 1_024;
const headersMsMax = 15_000;
const connectMsMax = 15_000;
const idleMsMax = 10 * 60_000;
const defaultPort = { http: 80, https: 443 };

type Target = { readonly scheme: "http" | "https"; readonly authority: string };
type Passage = { readonly address: string; readonly port: number } | { readonly refusal: string };

export async function openEgressProxy(parts: EgressProxyParts): Promise<EgressProxy> {
  const server = createServer({ maxHeaderSize: headerBytesMax, headersTimeout: headersMsMax, requestTimeout: 0 });
  server.maxConnections = connectionsMax;
  const sockets = new Set<Duplex>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.setTimeout(idleMsMax, () => socket.destroy());
    // Whoever goes away in the middle of a transfer ends it, and nobody is left to be told.
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("connect", (asked, client: Duplex, head: Buffer) => void openTunnel(parts, asked, { client, head }));
  server.on("request", (asked, answer) => void passOn(parts, asked, answer));
  server.listen(parts.socketPath);
  await once(server, "listening");
  server.unref();
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function openTunnel(
  parts: EgressProxyParts,
  asked: IncomingMessage,
  { client, head }: { readonly client: Duplex; readonly head: Buffer },
): Promise<void> {
  const passage = await findPassage(parts, { scheme: "https", authority: asked.url ?? "" }, asked);
  if (client.destroyed) return;
  if ("refusal" in passage) {
    client.end(refusalText(passage.refusal));
    return;
  }
  const outside = connect({ host: passage.address, port: passage.port });
  outside.setTimeout(connectMsMax, () => outside.destroy(new Error("it did not respond in time")));
  outside.once("connect", () => {
    outside.setTimeout(idleMsMax);
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    outside.write(head);
    client.pipe(outside).pipe(client);
  });
  outside.once("error", (error) => {
    if (outside.bytesRead > 0) client.destroy();
    else client.end(`HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n${asked.url}: ${error.message}\n`);
  });
  outside.once("close", () => client.end());
  client.once("close", () => outside.destroy());
}

async function passOn(parts: EgressProxyParts, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = URL.parse(asked.url ?? "");
  const refuse = (refusal: string, status = 403) =>
    answer.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`${refusal}\n`);
  if (url?.protocol !== "http:") {
    refuse("This is the proxy of kedge's sandbox; ask it for whole addresses that begin with http://.", 400);
    return;
  }
  const passage = await findPassage(parts, { scheme: "http", authority: url.host }, asked);
  if ("refusal" in passage) {
    refuse(passage.refusal);
    return;
  }
  const outside = request({
    host: passage.address,
    port: passage.port,
    method: asked.method ?? "GET",
    path: `${url.pathname}${url.search}`,
    // Named after the host that was judged, or a server that knows several would serve another one.
    headers: { ...withoutHopHeaders(asked.headers), host: url.host },
    timeout: connectMsMax,
    agent: false,
  });
  outside.once("timeout", () => outside.destroy(new Error("it did not respond in time")));
  outside.once("response", (received) => {
    outside.setTimeout(idleMsMax);
    answer.writeHead(received.statusCode ?? 502, withoutHopHeaders(received.headers));
    received.pipe(answer);
  });
  outside.once("error", (error) => {
    if (answer.headersSent) answer.destroy();
    else refuse(`${url.host}: ${error.message}`, 502);
  });
  answer.once("close", () => outside.destroy());
  asked.pipe(outside);
}

async function findPassage(
  parts: EgressProxyParts,
  { scheme, authority }: Target,
  asked: IncomingMessage,
): Promise<Passage> {
  const { allowedHosts } = parts;
  const byText = judgeEgress({ scheme, authority, allowedHosts });
  const isPermitted = byText.verdict === "block" && (await isPermittedByPerson(parts, { scheme, authority }, asked));
  if (byText.verdict === "block" && !isPermitted) return { refusal: refusalOf(authority, byText.why) };
  // It was judged, so it parses.
  const url = new URL(`${scheme}://${authority}/`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? defaultPort[scheme] : Number(url.port);
  if (isIP(host) !== 0) return { address: host, port };
  const addresses = await (parts.lookUp ?? askResolver)(host);
  const verdict = judgeEgress({ scheme, authority, addresses, allowedHosts, isPermitted });
  const [address] = addresses;
  if (verdict.verdict === "allow" && address !== undefined) return { address, port };
  return { refusal: refusalOf(authority, verdict.why) };
}

/** Nobody is asked about what would be refused all the same. */
async function isPermittedByPerson(
  { askerOf, allowedHosts }: EgressProxyParts,
  { scheme, authority }: Target,
  { headers }: IncomingMessage,
): Promise<boolean> {
  const ask = askerOf?.(wordIn(headers["proxy-authorization"]));
  if (ask === undefined) return false;
  if (judgeEgress({ scheme, authority, allowedHosts, isPermitted: true }).verdict === "block") return false;
  return ask(hostPattern(authority));
}

function wordIn(authorization: string | undefined): string {
  const [, encoded = ""] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "") ?? [];
  return Buffer.from(encoded, "base64")
    .toString("latin1")
    .replace(/^[^:]*:/, "");
}

async function askResolver(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function refusalOf(authority: string, why: string): string {
  return `The sandbox of kedge refuses ${authority}: ${why}. To allow it, the user adds "${authority}" to sandbox.allowedHosts in the settings.`;
}

/** The reason stands in the first line too, which is all that many programs show. */
function refusalText(refusal: string): string {
  const line = refusal.replaceAll(/[^\x20-\x7e]/g, "?");
  return `HTTP/1.1 403 ${line}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${refusal}\n`;
}

const hopHeaders: ReadonlySet<string> = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-authenticate",
  "te",
  "trailer",
  "upgrade",
]);

/**
 * They speak about one connection only, and there are two here. How the body is divided stays, since a request without
 * it would end before its body.
 */
function withoutHopHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)));
}
