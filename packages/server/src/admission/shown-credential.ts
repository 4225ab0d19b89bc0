/** Finds the credential that a request shows, without judging it. */
import type { IncomingMessage } from "node:http";
import { routeOf } from "@kedge/protocol";
import { readRows } from "@kedge/protocol/rows";
import { pathOf } from "./request-shape.ts";

export type ShownCredential =
  | { readonly kind: "none" }
  /** A header that says nothing we know how to read. */
  | { readonly kind: "unknown" }
  | { readonly kind: "token" | "password" | "cookie" | "ticket"; readonly secret: string };

const streamPaths: ReadonlySet<string> = new Set(
  [readRows.events, readRows.processEvents, readRows.replication].map((row) => routeOf(row).path),
);

export type CredentialPlace = { readonly isUpgrade: boolean; readonly cookieName: string };

/** The header counts before the rest. A token in the address is not looked for: addresses are logged and remembered. */
export function findCredential(request: IncomingMessage, { isUpgrade, cookieName }: CredentialPlace): ShownCredential {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) return fromHeader(authorization);
  const takesTicket = isUpgrade || (request.method === "GET" && streamPaths.has(pathOf(request)));
  const ticket = takesTicket ? ticketIn(request.url ?? "") : undefined;
  if (ticket !== undefined) return { kind: "ticket", secret: ticket };
  const secret = cookieIn(cookie ?? "", cookieName);
  return secret === undefined ? { kind: "none" } : { kind: "cookie", secret };
}

function fromHeader(header: string): ShownCredential {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return { kind: "token", secret: value };
    case "basic": {
      const decoded = Buffer.from(value, "base64").toString("utf8");
      const colon = decoded.indexOf(":");
      // The name before the colon is whoever the script likes to be.
      return colon === -1 ? { kind: "unknown" } : { kind: "password", secret: decoded.slice(colon + 1) };
    }
    default:
      return { kind: "unknown" };
  }
}

function ticketIn(url: string): string | undefined {
  const start = url.indexOf("?");
  return start === -1 ? undefined : (new URLSearchParams(url.slice(start + 1)).get("ticket") ?? undefined);
}

function cookieIn(header: string, wanted: string): string | undefined {
  for (const pair of header.split(";")) {
    const [name = "", ...value] = pair.split("=");
    if (name.trim() === wanted) return value.join("=").trim();
  }
  return undefined;
}
