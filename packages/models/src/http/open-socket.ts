/** Opens sockets to the host of a URL, with TLS where the URL asks for it. */
import type { Buffer } from "node:buffer";
import type { OnReadOpts, Socket } from "node:net";

export type OpenedSocket = {
  readonly socket: Socket;
  /** Emitted once what is written reaches the right host and nobody else. */
  readonly readyEvent: "connect" | "secureConnect";
};

export type OpenSocket = (onread: OnReadOpts) => OpenedSocket;

/** After so long without traffic the system asks whether the other side is still there. */
const probeAfterMs = 30_000;

/**
 * Opens nothing yet. The modules are loaded with the first socket, TLS only where it is needed: it costs 10 ms. Taken
 * from the process because an import statement would load them at the start.
 */
export function createSocketOpener(url: URL): OpenSocket {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  const target = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: probeAfterMs };
  let session: Buffer | undefined;

  function openSecure(onread: OnReadOpts): Socket {
    const options = {
      ...target,
      onread,
      ALPNProtocols: ["http/1.1"],
      // An address is no name; the certificate is then compared with the address.
      ...(process.getBuiltinModule("node:net").isIP(host) === 0 ? { servername: host } : {}),
      ...(session === undefined ? {} : { session }),
    };
    const socket = process.getBuiltinModule("node:tls").connect(options);
    socket.on("session", (ticket) => {
      session = ticket;
    });
    socket.on("error", () => {
      session = undefined;
    });
    return socket;
  }

  return (onread) =>
    isSecure
      ? { socket: openSecure(onread), readyEvent: "secureConnect" }
      : { socket: process.getBuiltinModule("node:net").connect({ ...target, onread }), readyEvent: "connect" };
}
