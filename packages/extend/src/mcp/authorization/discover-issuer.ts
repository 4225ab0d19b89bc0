/** Finds who signs people in for an MCP server, and refuses what does not belong together. */
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  type FetchLike,
  resourceUrlFromServerUrl,
} from "@modelcontextprotocol/client";
import { quoted, SignInProblem } from "./sign-in-problem.ts";

export type Issuer = {
  /** As its own metadata names it; compared with the address they came from. */
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** What a token is for. Sent as the server wrote it: some compare letter by letter. */
  readonly resource?: string;
  /** What the server says it needs. */
  readonly scope?: string;
};

export type DiscoverOptions = {
  readonly serverUrl: string;
  /** From the challenge of the server. */
  readonly resourceMetadataUrl?: URL;
  readonly fetch: FetchLike;
};

/** Throws a SignInProblem, or what the library throws: an issuer that differs from its address among it. */
export async function discoverIssuer({ serverUrl, resourceMetadataUrl, fetch }: DiscoverOptions): Promise<Issuer> {
  const found = await discoverOAuthServerInfo(serverUrl, {
    fetchFn: fetch,
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  });
  const { authorizationServerMetadata: metadata, authorizationServerUrl, resourceMetadata } = found;
  const host = new URL(authorizationServerUrl).host;
  if (metadata === undefined) throw new SignInProblem(`${host} does not offer a sign-in.`);
  const resource = resourceMetadata?.resource;
  if (resource !== undefined) {
    const requestedResource = resourceUrlFromServerUrl(serverUrl);
    if (!checkResourceAllowed({ requestedResource, configuredResource: resource }))
      throw new SignInProblem(`The server identifies as ${quoted(resource)}, not ${serverUrl}.`);
  }
  // Without PKCE somebody who sees the code on its way back could use it.
  if (!metadata.code_challenge_methods_supported?.includes("S256"))
    throw new SignInProblem(`${host} does not protect sign-ins with PKCE (S256).`);
  const scope = resourceMetadata?.scopes_supported?.join(" ");
  return {
    issuer: metadata.issuer,
    metadata,
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && scope !== "" && { scope }),
  };
}
