/** Opens sockets to the host of a URL, with TLS where the URL asks for it, through a proxy where one is named. */
import type { Buffer } from "node:buffer";
import type { OnReadOpts, Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { HttpProxy } from "./http-proxy.ts";
import { requestTunnel } from "./request-tunnel.ts";

export type SocketEvents = {
  /** What is written from now on reaches the right host and nobody else. */
  readonly ready: () => void;
  /** May be called more than once. Without an error the other side ended the connection in order. */
  readonly closed: (error: NodeJS.ErrnoException | undefined) => void;
};

/** Returns the way to the socket of the moment: one that leads through a proxy is replaced when TLS begins. */
export type OpenSocket = (onread: OnReadOpts, events: SocketEvents) => () => Socket;

export type SocketRoute = {
  readonly proxy?: HttpProxy;
  /** Certificates, as PEM text, of authorities that are trusted besides those of the system. */
  readonly ca?: string;
};

/** After so long without traffic the system asks whether the other side is still there. */
const probeAfterMs = 30_000;

type Endpoint = { readonly host: string; readonly port: number; readonly isSecure: boolean };

/** What TLS is spoken on: a connection to be made, or one that is there. */
type Ground = { readonly endpoint: Endpoint; readonly onread: OnReadOpts | undefined } | { readonly socket: Socket };

/**
 * Opens nothing yet. The modules are loaded with the first socket, TLS only where it is needed: it costs 10 ms. Taken
 * from the process because an import statement would load them at the start.
 */
export function createSocketOpener(url: URL, { proxy, ca }: SocketRoute = {}): OpenSocket {
  const target = endpointOf(url);
  const trusted = createTrust(ca);
  if (proxy === undefined) return createDirectOpener(target, trusted);
  const proxyEndpoint = endpointOf(proxy.url);
  // The proxy itself fetches what needs no TLS: it is sent the whole address with each request.
  if (!target.isSecure) return createDirectOpener(proxyEndpoint, trusted);
  const openToProxy = createDirectOpener(proxyEndpoint, trusted);
  const secure = createSecure(target.host, trusted);
  const authority = `${url.hostname}:${target.port}`;
  return (onread, events) => {
    let current = openToProxy(undefined, {
      ready: () =>
        requestTunnel(current, { authority, proxy }, (refused) => {
          if (refused !== undefined) return events.closed(refused);
          current = watch(secure({ socket: current }), "secureConnect", events);
          passBytes(current, onread);
        }),
      closed: events.closed,
    })();
    return () => current;
  };
}

function endpointOf(url: URL): Endpoint {
  const isSecure = url.protocol === "https:";
  return {
    isSecure,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
  };
}

/** The authorities of the system and the given ones, read once: that takes longer than a handshake. */
function createTrust(ca: string | undefined): () => SecureContext | undefined {
  let context: SecureContext | undefined;
  return () => {
    if (ca === undefined) return undefined;
    const tls = process.getBuiltinModule("node:tls");
    context ??= tls.createSecureContext({ ca: [...tls.getCACertificates("default"), ca] });
    return context;
  };
}

/** Without `onread` the socket's bytes come as its events. */
function createDirectOpener(
  endpoint: Endpoint,
  trusted: () => SecureContext | undefined,
): (onread: OnReadOpts | undefined, events: SocketEvents) => () => Socket {
  const secure = createSecure(endpoint.host, trusted);
  return (onread, events) => {
    const socket = endpoint.isSecure
      ? watch(secure({ endpoint, onread }), "secureConnect", events)
      : watch(process.getBuiltinModule("node:net").connect(tcpOptions(endpoint, onread)), "connect", events);
    return () => socket;
  };
}

function tcpOptions({ host, port }: Endpoint, onread: OnReadOpts | undefined) {
  const wanted = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: probeAfterMs };
  return onread === undefined ? wanted : { ...wanted, onread };
}

/** Sessions are resumed from one socket to the next. */
function createSecure(host: string, trusted: () => SecureContext | undefined): (ground: Ground) => Socket {
  let session: Buffer | undefined;
  return (ground) => {
    const secureContext = trusted();
    const socket = process.getBuiltinModule("node:tls").connect({
      ...("socket" in ground ? { socket: ground.socket, host } : tcpOptions(ground.endpoint, ground.onread)),
      ALPNProtocols: ["http/1.1"],
      // An address is no name; the certificate is then compared with the address.
      ...(process.getBuiltinModule("node:net").isIP(host) === 0 ? { servername: host } : {}),
      ...(session === undefined ? {} : { session }),
      ...(secureContext === undefined ? {} : { secureContext }),
    });
    socket.on("session", (ticket) => {
      session = ticket;
    });
    socket.on("error", () => {
      session = undefined;
    });
    return socket;
  };
}

/** Node reads into given buffers only on connections that it made itself. */
function passBytes(socket: Socket, { callback }: OnReadOpts): void {
  socket.on("data", (bytes: Buffer) => {
    if (!callback(bytes.length, bytes)) socket.pause();
  });
}

function watch(socket: Socket, readyEvent: "connect" | "secureConnect", events: SocketEvents): Socket {
  socket.once(readyEvent, events.ready);
  socket.on("error", events.closed);
  socket.on("end", () => events.closed(undefined));
  socket.on("close", () => events.closed(undefined));
  return socket;
}
