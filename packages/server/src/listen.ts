/** Opens the server's socket: where it listens, what it bears, and how it closes. */
import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { FailureError, reasonOf } from "@kedge/protocol";
import { isLoopbackHost, isWildcardHost } from "./admission/addresses.ts";
import { refuseUpgrade, type ServerListeners } from "./admission/admit-requests.ts";
import { portsToTry } from "./server-port.ts";

export type ServerLimits = {
  readonly headerBytesMax: number;
  readonly headersMsMax: number;
  /** For a whole request with its body. */
  readonly requestMsMax: number;
  readonly keepAliveMs: number;
  readonly connectionsMax: number;
};

const serverLimits: ServerLimits = {
  headerBytesMax: 16 * 1024,
  headersMsMax: 10_000,
  requestMsMax: 30_000,
  keepAliveMs: 60_000,
  connectionsMax: 1000,
};

export type ListenOptions = {
  /** Decides on the port unless one is given. */
  readonly directory: string;
  readonly hostname?: string;
  /** 0 lets the system choose. */
  readonly port?: number;
  readonly tls?: { readonly certPath: string; readonly keyPath: string };
  /** Other machines may reach it without TLS. */
  readonly isInsecure?: boolean;
  readonly limits?: Partial<ServerLimits>;
};

export type ListeningServer = {
  /** How it is reached from this machine. */
  readonly url: string;
  readonly hostname: string;
  readonly port: number;
  /** What the person who started it should know. */
  readonly warnings: readonly string[];
  /** Takes nobody in any more and lets requests end; cuts off what is left after the time. */
  close(graceMs?: number): Promise<void>;
};

export const hostnameDefault = "127.0.0.1";
/** The places of work are closed after it, and all of it together should take no more than five seconds. */
const closeMsMax = 3_000;
const sweepMs = 50;

/** Throws a FailureError when it may not or cannot listen there. */
export async function listen(options: ListenOptions, listeners: ServerListeners): Promise<ListeningServer> {
  const { hostname: wanted = hostnameDefault, tls, isInsecure = false } = options;
  // The name is not resolved: a machine can have it mean something else.
  const hostname = wanted === "localhost" ? hostnameDefault : wanted;
  const isExposed = !isLoopbackHost(hostname) && tls === undefined;
  if (isExposed && !isInsecure) throw needsTls(hostname);
  const limits = { ...serverLimits, ...options.limits };
  const server = createBareServer(limits, tls);
  const sockets = prepare(server, limits, listeners);
  const port = await bind(server, hostname, options);
  const reached = isWildcardHost(hostname) ? hostnameDefault : hostname;
  const address = reached.includes(":") ? `[${reached}]` : reached;
  return {
    url: `${tls === undefined ? "http" : "https"}://${address}:${port}`,
    hostname,
    port,
    warnings: isExposed ? [exposedWarning(hostname)] : [],
    close: (graceMs = closeMsMax) => close(server, sockets, graceMs),
  };
}

function createBareServer(limits: ServerLimits, tls: ListenOptions["tls"]): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: Math.min(limits.headersMsMax, limits.requestMsMax),
    requestTimeout: limits.requestMsMax,
    keepAliveTimeout: limits.keepAliveMs,
    // How often the two limits above are looked at.
    connectionsCheckingInterval: Math.min(1000, limits.headersMsMax, limits.requestMsMax),
    requireHostHeader: true,
    insecureHTTPParser: false,
  };
  if (tls === undefined) return createServer(options);
  const cert = readPem(tls.certPath);
  const key = readPem(tls.keyPath);
  try {
    return createTlsServer({ ...options, cert, key });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badTls(`The certificate ${tls.certPath} and the key ${tls.keyPath} cannot be used together (${why}).`, error);
  }
}

/** The open connections: those that became WebSockets are forgotten by the server itself. */
function prepare(server: Server, { connectionsMax }: ServerLimits, listeners: ServerListeners): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.maxConnections = connectionsMax;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", listeners.onRequest);
  server.on("upgrade", listeners.onUpgrade);
  server.on("clientError", answerBroken);
  return sockets;
}

const brokenRequests: { readonly [code: string]: { status: number; code: string; message: string } } = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "headers_too_large", message: "The request headers are too long." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "too_slow", message: "The request did not arrive in time." },
};

/** What could not be read as a request never reaches the admissions; it gets the same form of answer. */
function answerBroken(error: Error, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  const code = "code" in error ? String(error.code) : "";
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const unreadable = { status: 400, code: "bad_request", message: "Malformed request." };
  refuseUpgrade(socket, brokenRequests[code] ?? unreadable, { "cache-control": "no-store" });
}

async function bind(server: Server, hostname: string, { directory, port }: ListenOptions): Promise<number> {
  const ports = port === undefined ? portsToTry(directory) : [port];
  for (const tried of ports) {
    const outcome = await tryPort(server, hostname, tried);
    if (typeof outcome === "number") return outcome;
    const isTaken = "code" in outcome && (outcome.code === "EADDRINUSE" || outcome.code === "EACCES");
    if (!isTaken || port !== undefined) throw cannotListen(hostname, tried, outcome);
  }
  throw new Error("no free port available");
}

/** Both listeners go with the attempt, because more than twenty may follow. */
function tryPort(server: Server, host: string, port: number): Promise<number | Error> {
  return new Promise((resolve) => {
    const onError = (error: Error) => {
      server.off("listening", onListening);
      resolve(error);
    };
    const onListening = () => {
      server.off("error", onError);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    };
    server.once("error", onError);
    server.once("listening", onListening);
    server.listen({ host, port, exclusive: true });
  });
}

async function close(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that ends its request now would wait for another one; one on which nothing was ever asked counts as
  // no idle one.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, sweepMs);
  const cut = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw badTls(`Cannot read ${path} (${reasonOf(error)}).`, error);
  }
}

function badTls(message: string, cause: unknown): FailureError {
  const recovery = "Pass matching PEM files with --tls-cert and --tls-key.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false }, cause);
}

function needsTls(hostname: string): FailureError {
  const message = `Other machines can reach ${hostname}, so the server needs TLS.`;
  const recovery = "Pass --tls-cert and --tls-key, or --insecure on a private network.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}

function exposedWarning(hostname: string): string {
  return `The server listens on ${hostname} without TLS: anyone who can see the traffic can read it and take over sessions.`;
}

function cannotListen(hostname: string, port: number, cause: Error): FailureError {
  const isTaken = "code" in cause && cause.code === "EADDRINUSE";
  const message = isTaken
    ? `Port ${port} on ${hostname} is already in use.`
    : `Cannot listen on ${hostname}, port ${port} (${reasonOf(cause)}).`;
  const recovery = isTaken
    ? "Choose another with --port, or omit --port."
    : "Choose another with --hostname or --port.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false }, cause);
}
