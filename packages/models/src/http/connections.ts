/** The connections to one host: an agent of Node that keeps them alive, with TLS and through a proxy where needed. */
import type { Buffer } from "node:buffer";
import type { Agent, ClientRequest } from "node:http";
import type { RequestOptions } from "node:https";
import { createTrust, endpointOf, httpModuleFor } from "./endpoint.ts";
import { limitIdling } from "./idle-connections.ts";
import type { Route } from "./network.ts";
import { createTunnelAgent, type OpeningOptions } from "./tunnel-agent.ts";

export type OutgoingRequest = {
  readonly path: string;
  /** Names and values in turn, `host` among them. */
  readonly headers: readonly string[];
  /** With it the request is a POST. Not copied: it must not change until the request is over. */
  readonly body?: Buffer;
};

export type SentRequest = {
  readonly request: ClientRequest;
  /** Closes the connection, or stops opening it. Does nothing once the connection is free again. */
  readonly giveUp: () => void;
};

export type Connections = {
  /** Throws one of `unsendableCodes` when the path or a header has characters that HTTP does not allow. */
  readonly send: (outgoing: OutgoingRequest) => SentRequest;
  /** From now on every request gets a new connection. */
  readonly stopKeeping: () => void;
};

export const unsendableCodes: ReadonlySet<string> = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_UNESCAPED_CHARACTERS",
]);

const idleConnectionsMax = 4;

/** Node allows 16 KB, which is less than some gateways send. */
const headBytesMax = 64 * 1024;

/** Opens nothing and loads nothing yet: `node:http` is not needed before the first request. */
export function createConnections(url: URL, { proxy, ...certificates }: Route = {}): Connections {
  const isTunnelled = proxy !== undefined && url.protocol === "https:";
  // The proxy itself fetches what needs no TLS: it is sent the whole address with each request.
  const fetcher = isTunnelled ? undefined : proxy;
  const target = endpointOf(fetcher?.url ?? url);
  const pathStart = fetcher === undefined ? "" : url.origin;
  const ownHeaders = fetcher?.authorization === undefined ? [] : ["proxy-authorization", fetcher.authorization];
  let opened: { readonly agent: Agent; readonly start: (options: RequestOptions) => ClientRequest } | undefined;

  function open(): NonNullable<typeof opened> {
    const trust = createTrust(certificates);
    const options = {
      keepAlive: true,
      maxFreeSockets: idleConnectionsMax,
      ...(target.protocol === "https:" ? { ALPNProtocols: ["http/1.1"], ...trust() } : {}),
    };
    const { Agent: AgentOfProtocol, request } = httpModuleFor(target);
    const agent = isTunnelled
      ? createTunnelAgent(options, { proxy, trust, authority: `${url.hostname}:${target.port}` })
      : new AgentOfProtocol(options);
    // All its connections lead to one place in one way; Node would write down all of that three times per request.
    agent.getName = () => target.host;
    limitIdling(agent);
    return { agent, start: request };
  }

  return {
    send({ path, headers, body }) {
      opened ??= open();
      const opening = isTunnelled ? new AbortController() : undefined;
      const options: RequestOptions & OpeningOptions = {
        ...target,
        agent: opened.agent,
        method: body === undefined ? "GET" : "POST",
        path: pathStart + path,
        headers:
          body === undefined
            ? [...headers, ...ownHeaders]
            : [...headers, ...ownHeaders, "content-length", String(body.length)],
        maxHeaderSize: headBytesMax,
        ...(opening === undefined ? {} : { opening: opening.signal }),
      };
      const request = opened.start(options);
      request.end(body);
      return {
        request,
        giveUp() {
          request.destroy();
          opening?.abort();
        },
      };
    },
    stopKeeping() {
      opened ??= open();
      if (!ownHeaders.includes("connection")) ownHeaders.push("connection", "close");
      opened.agent.maxFreeSockets = 0;
      for (const idle of Object.values(opened.agent.freeSockets)) for (const socket of idle ?? []) socket.destroy();
    },
  };
}
