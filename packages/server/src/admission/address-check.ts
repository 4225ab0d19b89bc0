/** Judges under which name the server was called and which page in a browser called it. */
import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { FailureError, headerNames } from "@kedge/protocol";
import { isLoopbackHost, isWildcardHost } from "./addresses.ts";
import type { Preflight, Refusal } from "./admissions.ts";
import { methods } from "./request-shape.ts";

export type AddressSettings = {
  /** What the server listens on. A name the person gave is one it may be called by. */
  readonly boundTo: string;
  /** Further names, with a port or without: those of a proxy in front, or of a forwarded port. */
  readonly hosts: readonly string[];
  /** Pages of other origins that may call, as `https://name:port`. */
  readonly origins: readonly string[];
  /** For an address that only others call: names of this machine itself are not taken. */
  readonly isForOthers?: boolean;
};

export type AddressCheck = {
  judgeHost(request: IncomingMessage): Refusal | undefined;
  judgeOrigin(request: IncomingMessage, options: { readonly isUpgrade: boolean }): Refusal | undefined;
  preflight(request: IncomingMessage): Preflight;
  answerHeaders(request: IncomingMessage): { readonly [name: string]: string };
};

const securityHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  vary: "Origin",
};

const preflightSeconds = 600;
const sentHeaders = ["authorization", "content-type", ...Object.values(headerNames)].join(", ");
const shownHeaders = [headerNames.protocol, "retry-after"].join(", ");

/** Throws a FailureError for an origin that is none: a page that may call must be named, never meant by a pattern. */
export function createAddressCheck({ boundTo, hosts, origins, isForOthers = false }: AddressSettings): AddressCheck {
  const names = hosts.map((name) => name.toLowerCase());
  const boundName = isWildcardHost(boundTo) ? undefined : inAddress(boundTo).toLowerCase();
  const allowed = new Set(origins.map(checkedOrigin));

  /** Its own pages share the name by which it was called, which was checked before. */
  const isAllowed = (request: IncomingMessage, origin: string) =>
    allowed.has(origin.toLowerCase()) || origin.toLowerCase() === ownOrigin(request);

  const corsHeaders = (request: IncomingMessage) => {
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(request, origin)) return {};
    // Called by a name that is not its own, nothing is its own origin: a page of that name reads no answer, not even this one.
    if (judgeHost(request) !== undefined) return {};
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": shownHeaders,
      "cross-origin-resource-policy": "cross-origin",
    };
  };

  const judgeHost = (request: IncomingMessage): Refusal | undefined => {
    const called = (request.headers.host ?? "").toLowerCase();
    const { name, port } = splitHost(called, { port: isEncrypted(request) ? 443 : 80 });
    const isOwnPort = port === request.socket.localPort;
    if (isOwnPort && ((isLoopbackHost(name) && !isForOthers) || name === boundName)) return undefined;
    // A name without a port stands for the usual one and for the server's own.
    if (names.some((known) => known === called || (isOwnPort && known === name))) return undefined;
    const message = `Host "${called}" is not allowed. To allow it, add it to server.hosts.`;
    return { status: 421, code: "wrong_host", message };
  };

  const judgeOrigin = (
    request: IncomingMessage,
    { isUpgrade }: { readonly isUpgrade: boolean },
  ): Refusal | undefined => {
    const { origin } = request.headers;
    if (origin !== undefined) return isAllowed(request, origin) ? undefined : foreignOrigin(origin);
    if (isUpgrade) {
      return {
        status: 403,
        code: "origin_required",
        message: "A WebSocket needs an Origin header that matches the server.",
      };
    }
    // Pages of other ports on this machine count as the same site, and their requests bring the cookie along.
    const site = request.headers["sec-fetch-site"];
    if (site === undefined || site === "same-origin" || site === "none") return undefined;
    return { status: 403, code: "cross_site", message: "Requests from other sites are not allowed." };
  };

  return {
    judgeHost,
    judgeOrigin,
    answerHeaders: (request) => ({ ...securityHeaders, ...corsHeaders(request) }),
    preflight(request) {
      const refusal = judgeHost(request) ?? judgeOrigin(request, { isUpgrade: false });
      if (refusal !== undefined) return { ok: false, ...refusal };
      if (request.headers.origin === undefined || request.headers["access-control-request-method"] === undefined) {
        const headers = { allow: methods.join(", ") };
        return {
          ok: false,
          status: 405,
          code: "method_not_allowed",
          message: "OPTIONS is for browsers only.",
          headers,
        };
      }
      const isPrivate = request.headers["access-control-request-private-network"] === "true";
      return {
        ok: true,
        headers: {
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": sentHeaders,
          "access-control-max-age": String(preflightSeconds),
          ...(isPrivate && { "access-control-allow-private-network": "true" }),
        },
      };
    },
  };
}

export function isEncrypted({ socket }: IncomingMessage): boolean {
  return socket instanceof TLSSocket;
}

function ownOrigin(request: IncomingMessage): string {
  return `${isEncrypted(request) ? "https" : "http"}://${request.headers.host ?? ""}`.toLowerCase();
}

/** `null` is what pages from files and from sandboxed frames call themselves: nobody in particular. */
function foreignOrigin(origin: string): Refusal {
  const message = `Requests from ${origin} are not allowed. To allow them, add the origin to server.origins.`;
  return { status: 403, code: "foreign_origin", message };
}

function splitHost(host: string, usual: { readonly port: number }): { readonly name: string; readonly port: number } {
  const [, name = "", port] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return { name, port: port === undefined ? usual.port : Number(port) };
}

function inAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function checkedOrigin(origin: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.test(origin))
    return origin.toLowerCase();
  const message = `"${origin}" in server.origins is not an origin.`;
  const recovery = "Use the form https://example.com or http://localhost:5173.";
  throw new FailureError({ code: "configuration", message, recovery, retryable: false });
}
