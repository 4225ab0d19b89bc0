/** Signs the user in to an MCP server and out again, for `kedge mcp auth` and `kedge mcp logout`. */
import { createGuardedFetch, type ServerNetwork, signIn } from "@kedge/extend/mcp-authorization";
import type { McpServer } from "@kedge/extend/mcp-servers";
import { openBrowser } from "../machine/open-browser.ts";
import { createAddressJudge } from "../mcp/server-addresses.ts";
import { keyringOf, randomWord, signInUrlOf } from "./authorize-servers.ts";
import { openSignInStore } from "./sign-in-store.ts";

export type ServerSignInParts = {
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly now: () => number;
  readonly network?: ServerNetwork;
};

export type ServerSignInOptions = ServerSignInParts & {
  /** Nobody is in front of this machine: the address is shown and no browser opened. */
  readonly showsAddress: boolean;
  readonly tell: (sentence: string) => void;
  readonly signal: AbortSignal;
};

export type ServerSignIn =
  | { readonly ok: true; readonly storage: "file" | "keyring"; readonly scope?: string }
  | { readonly ok: false; readonly problem: string };

export async function signInToServer(server: McpServer, options: ServerSignInOptions): Promise<ServerSignIn> {
  const { home, environment, now, network, tell, signal } = options;
  const serverUrl = signInUrlOf(server);
  if (serverUrl === undefined) return { ok: false, problem: unneeded(server) };
  const signIns = openSignInStore({ home, keyring: keyringOf(environment) });
  const guarded = createGuardedFetch({ refuseAddress: createAddressJudge(server), ...network });
  const present = async (url: URL, short: URL) => {
    const isOpened = !options.showsAddress && (await openBrowser(url, { platform: process.platform, environment }));
    const where = `Sign in to ${server.name} at ${url.host}.`;
    if (isOpened) tell(`${where} Continue in the browser, or open ${short.href}`);
    else if (options.showsAddress) tell(`${where} Open ${url.href}`);
    else tell(`${where} Open ${short.href}\nIn a browser on another machine: ${url.href}`);
  };
  try {
    const settings = server.oauth || {};
    const parts = { serverUrl, settings, signIns, fetch: guarded.fetch, now, randomWord, present };
    const outcome = await signIn(parts, {}, signal);
    if (!outcome.ok) return outcome;
    const storage = signIns.list().find((kept) => kept.serverUrl === serverUrl)?.storage ?? "file";
    const scope = outcome.signedIn.tokens?.scope;
    return { ok: true, storage, ...(scope !== undefined && { scope }) };
  } finally {
    guarded.close();
  }
}

/** False when nobody was signed in. */
export function signOutOfServer(server: McpServer, { home, environment }: ServerSignInParts): boolean {
  const signIns = openSignInStore({ home, keyring: keyringOf(environment) });
  const serverUrl = signInUrlOf(server);
  if (serverUrl === undefined || signIns.list().every((kept) => kept.serverUrl !== serverUrl)) return false;
  signIns.write(serverUrl, undefined);
  return true;
}

function unneeded({ name, transport, oauth }: McpServer): string {
  if (oauth === false) return `${name} has "oauth": false in its settings.`;
  const isLocal = transport.type === "stdio" || transport.type === "sdk";
  return isLocal
    ? `${name} runs on this machine and does not need a sign-in.`
    : `${name} has a credential in its headers.`;
}
