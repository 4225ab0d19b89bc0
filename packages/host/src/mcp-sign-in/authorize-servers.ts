/** Lets the MCP servers of sessions use the sign-ins of the user. No browser opens here. */
import { randomBytes } from "node:crypto";
import type { Authorize } from "@kedge/extend/mcp";
import { authorizeServer } from "@kedge/extend/mcp-authorization";
import type { McpServer } from "@kedge/extend/mcp-servers";
import { createKeyring, type Keyring, noKeyring } from "../credentials/keyring.ts";
import { openSignInStore } from "./sign-in-store.ts";

export type AuthorizeParts = {
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly now: () => number;
};

export function createAuthorize({ home, environment, now }: AuthorizeParts): Authorize {
  const signIns = openSignInStore({ home, keyring: keyringOf(environment) });
  return async (server, fetch) => {
    const serverUrl = signInUrlOf(server);
    if (serverUrl === undefined) return undefined;
    const settings = server.oauth || {};
    return authorizeServer({ name: server.name, serverUrl, settings, signIns, fetch, now, randomWord });
  };
}

/** Undefined for a server that nobody signs in to: it runs here, or its settings have a credential or say no. */
export function signInUrlOf({ transport, oauth }: Pick<McpServer, "transport" | "oauth">): string | undefined {
  if (oauth === false || transport.type === "stdio" || transport.type === "sdk") return undefined;
  const isGiven = Object.keys(transport.headers).some((name) => name.toLowerCase() === "authorization");
  // A sign-in is asked for over HTTP, also where the server itself speaks over a WebSocket.
  return isGiven ? undefined : transport.url.replace(/^ws/i, "http");
}

export function keyringOf(environment: AuthorizeParts["environment"]): Keyring {
  return environment["KEDGE_KEYRING"] === "off" ? noKeyring : createKeyring();
}

export function randomWord(): string {
  return randomBytes(32).toString("base64url");
}
