/** Where a connection goes, and what of Node speaks with it. */
import type { SecureContext } from "node:tls";
import type { Route } from "./network.ts";

/** In the words of the options of a request. */
export type Endpoint = { readonly protocol: string; readonly host: string; readonly port: number };

/** The options of TLS that say who is trusted and who kedge is; none where only the system's authorities are. */
export type Trust = () => { readonly secureContext?: SecureContext };

export function endpointOf({ protocol, hostname, port }: URL): Endpoint {
  return {
    protocol,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
  };
}

/**
 * Taken from the process because an import statement would load it at the start; TLS, which costs 10 ms more, only
 * where it is spoken.
 */
export function httpModuleFor({ protocol }: Endpoint): typeof import("node:https") | typeof import("node:http") {
  return process.getBuiltinModule(protocol === "https:" ? "node:https" : "node:http");
}

/** The authorities of the system and the given ones, read once: that takes longer than a handshake. */
export function createTrust({ ca, client }: Pick<Route, "ca" | "client">): Trust {
  let secureContext: SecureContext | undefined;
  return () => {
    if (ca === undefined && client === undefined) return {};
    const tls = process.getBuiltinModule("node:tls");
    secureContext ??= tls.createSecureContext({
      ...(ca !== undefined && { ca: [...tls.getCACertificates("default"), ca] }),
      ...client,
    });
    return { secureContext };
  };
}
