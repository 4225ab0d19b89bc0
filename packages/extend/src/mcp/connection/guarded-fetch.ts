/** Requests to remote servers: only to addresses that were judged, without following redirects, bounded in size. */
import { lookup } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as requestPlain } from "node:http";
import { type RequestOptions, request as requestSecure, Agent as SecureAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable, Transform } from "node:stream";
import { trustedAuthorities } from "../../trusted-authorities.ts";
import { PlainError } from "./connect-failure.ts";
import { messageBytesMax, tooLong } from "./limits.ts";

/** The proxy passes bytes on unread, or is asked for the whole address where there is no TLS. */
export type ProxyWay =
  | { readonly kind: "tunnel"; readonly agent: SecureAgent }
  | { readonly kind: "forward"; readonly url: URL; readonly authorization?: string };

export type ServerNetwork = {
  /** Undefined for an address that is reached directly. */
  readonly proxyFor?: (url: URL) => ProxyWay | undefined;
  /** Certificates to trust beside those of the system. */
  readonly ca?: string;
  /** What is shown to a server that asks for a certificate, as PEM text. */
  readonly client?: { readonly cert: string; readonly key: string; readonly passphrase?: string };
};

export type AddressParts = ServerNetwork & {
  /**
   * Why the address may not be asked, given everything that its name resolves to; undefined when it may. A name that
   * only a proxy looks up comes without addresses.
   */
  readonly refuseAddress: (url: string, addresses?: readonly string[]) => string | undefined;
};

export type GuardedFetchParts = AddressParts & {
  /** The answer to a request with this body comes as a stream of events. */
  readonly onStream?: (body: unknown) => void;
  readonly onTooLong?: () => void;
};

export type GuardedFetch = {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Closes the connections that were kept for the next request. */
  close(): void;
};

const idleMs = 30_000;

export function createGuardedFetch(parts: GuardedFetchParts): GuardedFetch {
  const kept = { keepAlive: true, timeout: idleMs, scheduling: "lifo" } as const;
  const agents = { plain: new PlainAgent(kept), secure: new SecureAgent(kept) };
  /** One per host, so that connections are kept. */
  const ways = new Map<string, ProxyWay | undefined>();
  const wayTo = (url: URL) => {
    if (!ways.has(url.origin)) ways.set(url.origin, parts.proxyFor?.(url));
    return ways.get(url.origin);
  };

  function start(url: URL, init: RequestInit, onAnswer: (message: IncomingMessage) => void): ClientRequest {
    const options = {
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers ?? {})),
      ...(init.signal && { signal: init.signal }),
      ...trustedAuthorities(parts.ca),
      ...parts.client,
    };
    const way = wayTo(url);
    if (way?.kind === "tunnel") return requestSecure(url, { ...options, agent: way.agent }, onAnswer);
    if (way?.kind === "forward") return forward(url, way, options, onAnswer);
    const lookup = judgedLookup(url, parts);
    return url.protocol === "https:"
      ? requestSecure(url, { ...options, agent: agents.secure, lookup }, onAnswer)
      : requestPlain(url, { ...options, agent: agents.plain, lookup }, onAnswer);
  }

  return {
    async fetch(given, init = {}) {
      const url = new URL(given);
      const refusal = refuseText(url, parts, wayTo(url));
      if (refusal !== undefined) throw new PlainError(refusal);
      const body = await bodyOf(init);
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const outgoing = start(url, init, resolve);
      outgoing.on("error", reject);
      outgoing.end(body);
      return responseOf(await promise, body, parts);
    },
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
      for (const way of ways.values()) if (way?.kind === "tunnel") way.agent.destroy();
    },
  };
}

/** Without TLS the proxy fetches the page itself. */
function forward(
  { href, host }: URL,
  { url, authorization }: Extract<ProxyWay, { kind: "forward" }>,
  options: RequestOptions & { readonly headers: { readonly [name: string]: string } },
  onAnswer: (message: IncomingMessage) => void,
): ClientRequest {
  const headers = {
    ...options.headers,
    host,
    ...(authorization !== undefined && { "proxy-authorization": authorization }),
  };
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  return request(url, { ...options, path: href, headers }, onAnswer);
}

/** An address in the text is connected to without any look-up, so it is judged here; so is a name that a proxy looks up. */
export function refuseText(url: URL, { refuseAddress }: AddressParts, way?: ProxyWay): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const known = isIP(host) === 0 ? undefined : [host];
  const why = known === undefined && way === undefined ? undefined : refuseAddress(httpUrl(url), known);
  return why === undefined ? undefined : `its URL is not allowed: ${why}`;
}

/** Connects to one of the very addresses that were judged: the next look-up might answer otherwise. */
export function judgedLookup(url: URL, { refuseAddress }: AddressParts): LookupFunction {
  return (host, options, answer) => {
    lookup(host, { all: true }).then(
      (found) => {
        const why = refuseAddress(
          httpUrl(url),
          found.map(({ address }) => address),
        );
        const [first] = found;
        if (why !== undefined || first === undefined)
          answer(new PlainError(`its URL is not allowed: ${why ?? "it has none"}`), []);
        else if (options.all) answer(null, found);
        else answer(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => answer(error, []),
    );
  };
}

/** Those who judge addresses know no other schemes. */
function httpUrl(url: URL): string {
  return url.href.replace(/^ws/, "http");
}

async function bodyOf({ body }: RequestInit): Promise<string | Uint8Array | undefined> {
  if (body === undefined || body === null) return undefined;
  return typeof body === "string" ? body : new Uint8Array(await new Response(body).arrayBuffer());
}

const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function responseOf(incoming: IncomingMessage, sent: unknown, { onStream, onTooLong }: GuardedFetchParts): Response {
  const { statusCode: status = 502, statusMessage = "" } = incoming;
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (bodiless.has(status)) {
    incoming.resume();
    return new Response(null, { status, statusText: statusMessage, headers });
  }
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  if (isStream) onStream?.(sent);
  const bounded = incoming.pipe(boundedBody(isStream, onTooLong));
  incoming.on("error", (error) => bounded.destroy(error));
  bounded.on("close", () => incoming.destroy());
  // Node and the library describe the same streams with types of their own.
  const body = Readable.toWeb(bounded) as unknown as ReadableStream;
  return new Response(body, { status, statusText: statusMessage, headers });
}

/** A stream of events may go on for ever, but no event of it may. */
function boundedBody(isStream: boolean, onTooLong?: () => void): Transform {
  let bytes = 0;
  let tail: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (isStream) {
        // The line that ends an event may come in two pieces.
        const joined = Buffer.concat([tail, chunk]);
        const end = eventEnd(joined);
        if (end !== undefined) bytes = joined.length - end;
        tail = joined.subarray(-2);
      }
      if (bytes <= messageBytesMax) return done(null, chunk);
      onTooLong?.();
      done(new Error(tooLong));
    },
  });
}

/** Behind the last empty line. */
function eventEnd(bytes: Buffer): number | undefined {
  const ends = ["\n\n", "\n\r\n", "\r\r"].map((blank) => {
    const at = bytes.lastIndexOf(blank);
    return at === -1 ? 0 : at + blank.length;
  });
  const end = Math.max(...ends);
  return end === 0 ? undefined : end;
}
