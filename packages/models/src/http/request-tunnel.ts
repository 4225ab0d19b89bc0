/** Asks a proxy to pass bytes on to a host unread, so that TLS is spoken with the host alone. */
import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { HttpProxy } from "./http-proxy.ts";
import { createResponseParser } from "./response-parser.ts";

export type TunnelWish = {
  /** Host and port. */
  readonly authority: string;
  readonly proxy: HttpProxy;
};

const authenticationRequired = 407;

/** `socket` is connected to the proxy. Tells `done` once: nothing when the tunnel is there, otherwise why it is not. */
export function requestTunnel(
  socket: Socket,
  { authority, proxy }: TunnelWish,
  done: (refused: NodeJS.ErrnoException | undefined) => void,
): void {
  let status = 0;
  const parser = createResponseParser({
    head: (head) => {
      status = head.status;
    },
    body: () => {},
  });
  function read(bytes: Buffer): void {
    const result = parser.push(bytes);
    if (result.kind !== "malformed" && status === 0) return;
    socket.off("data", read);
    // What comes next belongs to whoever speaks TLS.
    socket.pause();
    if (result.kind === "malformed") done(refusal(result.code, "The proxy does not speak HTTP."));
    else if (status === authenticationRequired)
      done(refusal("ERR_PROXY_AUTHENTICATION", "The proxy wants to know who asks."));
    else if (status > 299) done(refusal("ERR_PROXY_REFUSED", `The proxy refused with status ${status}.`));
    else done(undefined);
  }
  socket.on("data", read);
  const authorization = proxy.authorization === undefined ? "" : `proxy-authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`, "latin1");
}

function refusal(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
