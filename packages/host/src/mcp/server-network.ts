/** How MCP servers are reached: through the proxy of the user, with the authorities that the user trusts. */
import type { ServerNetwork } from "@kedge/extend/mcp-authorization";
import { type Network, openProxyWay } from "@kedge/models";

export function serverNetwork(network: Network): ServerNetwork {
  const { ca, client } = network;
  return {
    proxyFor: (url) => openProxyWay(url, network),
    ...(ca !== undefined && { ca }),
    ...(client !== undefined && { client }),
  };
}
