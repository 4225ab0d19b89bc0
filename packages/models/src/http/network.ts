/** How the user's network leads to hosts: through which proxies, and whose certificates count. */
import { parseHttpProxy } from "./http-proxy.ts";
import type { SocketRoute } from "./open-socket.ts";

export type Network = {
  /** The proxy on the way to an address, where there is one. */
  readonly proxyFor?: (url: URL) => string | undefined;
  /** Certificates, as PEM text, of authorities that are trusted besides those of the system. */
  readonly ca?: string;
};

/** Throws when the proxy is no URL. */
export function routeTo(url: URL, { proxyFor, ca }: Network): SocketRoute {
  const proxy = proxyFor?.(url);
  return { ...(proxy === undefined ? {} : { proxy: parseHttpProxy(proxy) }), ...(ca === undefined ? {} : { ca }) };
}
