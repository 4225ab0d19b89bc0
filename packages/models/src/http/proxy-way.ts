/** The way to an address through a proxy, for others who speak HTTP by Node's own client. */
import type { Agent } from "node:https";
import { createTrust, endpointOf } from "./endpoint.ts";
import { type HttpProxy, type Network, routeTo } from "./network.ts";
import { createTunnelAgent } from "./tunnel-agent.ts";

/** With TLS bytes are passed on unread; without it the proxy is asked for the whole address. */
export type ProxyWay = { readonly kind: "tunnel"; readonly agent: Agent } | ({ readonly kind: "forward" } & HttpProxy);

/** Undefined where the address is reached directly. Throws when the proxy is no URL that can be used. */
export function openProxyWay(url: URL, network: Network): ProxyWay | undefined {
  const { proxy, ...certificates } = routeTo(url, network);
  if (proxy === undefined) return undefined;
  if (url.protocol !== "https:") return { kind: "forward", ...proxy };
  const trust = createTrust(certificates);
  const options = { keepAlive: true, ...trust() };
  const authority = `${url.hostname}:${endpointOf(url).port}`;
  return { kind: "tunnel", agent: createTunnelAgent(options, { proxy, trust, authority }) };
}
