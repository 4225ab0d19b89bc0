/** Requests to remote servers: only to addresses that were judged, without following redirects, bounded in size. */
import { lookup } from "node:dns/promises";
import { type IncomingMessage, Agent as PlainAgent, request as requestPlain } from "node:http";
import { request as requestSecure, Agent as SecureAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable, Transform } from "node:stream";
import { messageBytesMax } from "./limits.ts";

export type AddressParts = {
  /** Why the address may not be asked, given everything that its name resolves to; undefined when it may. */
  readonly refuseAddress: (url: string, addresses: readonly string[]) => string | undefined;
  /** Certificates to trust beside those of the system. */
  readonly ca?: string;
};

export type GuardedFetch = {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Closes the connections that were kept for the next request. */
  close(): void;
};

const idleMs = 30_000;

export function createGuardedFetch(parts: AddressParts): GuardedFetch {
  const kept = { keepAlive: true, timeout: idleMs, scheduling: "lifo" } as const;
  const agents = { plain: new PlainAgent(kept), secure: new SecureAgent(kept) };
  return {
    async fetch(given, init = {}) {
      const url = new URL(given);
      const refusal = refuseText(url, parts);
      if (refusal !== undefined) throw new Error(refusal);
      const body = await bodyOf(init);
      const isSecure = url.protocol === "https:";
      const request = isSecure ? requestSecure : requestPlain;
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const outgoing = request(
        url,
        {
          method: init.method ?? "GET",
          headers: Object.fromEntries(new Headers(init.headers ?? {})),
          agent: isSecure ? agents.secure : agents.plain,
          lookup: judgedLookup(url, parts),
          ...(init.signal && { signal: init.signal }),
          ...(parts.ca !== undefined && { ca: parts.ca }),
        },
        resolve,
      );
      outgoing.on("error", reject);
      outgoing.end(body);
      return responseOf(await promise);
    },
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

/** An address in the text is connected to without any look-up, so it is judged here. */
export function refuseText(url: URL, { refuseAddress }: AddressParts): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const why = isIP(host) === 0 ? undefined : refuseAddress(httpUrl(url), [host]);
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
          answer(new Error(`its URL is not allowed: ${why ?? "it has none"}`), []);
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

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage = "" } = incoming;
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (bodiless.has(status)) {
    incoming.resume();
    return new Response(null, { status, statusText: statusMessage, headers });
  }
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  const bounded = incoming.pipe(boundedBody(isStream));
  incoming.on("error", (error) => bounded.destroy(error));
  bounded.on("close", () => incoming.destroy());
  // Node and the library describe the same streams with types of their own.
  const body = Readable.toWeb(bounded) as unknown as ReadableStream;
  return new Response(body, { status, statusText: statusMessage, headers });
}

/** A stream of events may go on for ever, but no line of it may. */
function boundedBody(isStream: boolean): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lineEnd = isStream ? chunk.lastIndexOf(0x0a) : -1;
      bytes = lineEnd === -1 ? bytes + chunk.length : chunk.length - lineEnd - 1;
      if (bytes > messageBytesMax) done(new Error(`it sent a message of more than ${messageBytesMax / 1_048_576} MB`));
      else done(null, chunk);
    },
  });
}
