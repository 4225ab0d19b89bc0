/** An agent that asks a proxy to pass bytes on to a host unread, so that TLS is spoken with the host alone. */
import type { Agent, AgentOptions, RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { endpointOf, httpModuleFor, type Trust } from "./endpoint.ts";
import type { HttpProxy } from "./network.ts";

export type Tunnel = {
  readonly proxy: HttpProxy;
  /** Host and port of the other end. */
  readonly authority: string;
  readonly trust: Trust;
};

/** Given with each request, because Node tells no agent that a connection is not waited for any more. */
export type OpeningOptions = { readonly opening?: AbortSignal };

type Opened = (error: Error | null, socket?: Duplex | null) => void;

const authenticationRequired = 407;

/** Not Node's own `proxyEnv`: it came with Node 24.5, and what is older ignores it in silence. */
export function createTunnelAgent(options: AgentOptions, tunnel: Tunnel): Agent {
  const agent = new (process.getBuiltinModule("node:https").Agent)(options);
  const secure = agent.createConnection.bind(agent);
  agent.createConnection = (wanted: RequestOptions & OpeningOptions, done: Opened) => {
    requestTunnel(tunnel, wanted.opening, (error, socket) => {
      const connection = { ...wanted, socket };
      if (error === null) done(null, secure(connection));
      else done(error);
    });
    return undefined;
  };
  return agent;
}

/** Tells `done` once. */
function requestTunnel({ proxy, authority, trust }: Tunnel, opening: AbortSignal | undefined, done: Opened): void {
  const endpoint = endpointOf(proxy.url);
  const request = httpModuleFor(endpoint).request({
    ...endpoint,
    ...(endpoint.protocol === "https:" ? trust() : {}),
    agent: false,
    method: "CONNECT",
    path: authority,
    headers: [
      ...["host", authority, "connection", "keep-alive"],
      ...(proxy.authorization === undefined ? [] : ["proxy-authorization", proxy.authorization]),
    ],
  });
  const giveUp = () => request.destroy(new Error("The tunnel is no longer needed."));
  opening?.addEventListener("abort", giveUp, { once: true });
  request.once("connect", ({ statusCode = 0 }, socket) => {
    opening?.removeEventListener("abort", giveUp);
    if (statusCode >= 200 && statusCode <= 299) return done(null, socket);
    socket.destroy();
    done(
      statusCode === authenticationRequired
        ? refusal("ERR_PROXY_AUTHENTICATION", "The proxy requires a user name and a password.")
        : refusal("ERR_PROXY_REFUSED", `The proxy refused with status ${statusCode}.`),
    );
  });
  request.once("error", (error) => {
    opening?.removeEventListener("abort", giveUp);
    done(error);
  });
  request.end();
}

function refusal(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
