/** Decides as which client kedge signs in: the configured one, a metadata document, or a registration. */
import { type FetchLike, isHttpsUrl, registerClient } from "@modelcontextprotocol/client";
import type { Issuer } from "./discover-issuer.ts";
import type { KeptSignIn, SignInClient } from "./kept-sign-in.ts";
import { SignInProblem } from "./sign-in-problem.ts";

/** The part of a server's settings that says who kedge is. */
export type ClientSettings = {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** A public document that describes the client; its address is the client's identifier. */
  readonly clientMetadataUrl?: string;
};

export type ObtainClientOptions = {
  readonly issuer: Issuer;
  readonly settings: ClientSettings;
  /** What was kept from an earlier sign-in. */
  readonly known: KeptSignIn | undefined;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  readonly fetch: FetchLike;
};

const clientName = "kedge";

export async function obtainClient(options: ObtainClientOptions): Promise<SignInClient> {
  const { issuer, settings, known, redirectUri } = options;
  const { clientId, clientSecret, clientMetadataUrl } = settings;
  if (clientId !== undefined) return { id: clientId, ...(clientSecret !== undefined && { secret: clientSecret }) };
  const kept = known?.issuer === issuer.issuer ? known.client : undefined;
  if (kept !== undefined && (kept.redirectUri === undefined || kept.redirectUri === redirectUri)) return kept;
  if (clientMetadataUrl !== undefined && issuer.metadata.client_id_metadata_document_supported === true) {
    if (!isHttpsUrl(clientMetadataUrl))
      throw new SignInProblem(`oauth.clientMetadataUrl must be an https URL with a path: ${clientMetadataUrl}.`);
    return { id: clientMetadataUrl };
  }
  if (issuer.metadata.registration_endpoint === undefined) {
    const host = new URL(issuer.issuer).host;
    throw new SignInProblem(
      `${host} only accepts registered clients. Register kedge there and set oauth.clientId for this server.`,
    );
  }
  return register(options);
}

async function register({ issuer, redirectUri, scope, fetch }: ObtainClientOptions): Promise<SignInClient> {
  const registered = await registerClient(issuer.issuer, {
    metadata: issuer.metadata,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: methodOf(issuer),
      application_type: "native",
    },
    ...(scope !== undefined && { scope }),
    fetchFn: fetch,
  });
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = registered;
  return {
    id,
    ...(secret !== undefined && { secret }),
    ...(method !== undefined && { method }),
    redirectUri,
  };
}

/** A program on a user's machine keeps no secret, so it registers as a public client where it may. */
function methodOf({ metadata }: Issuer): string {
  const supported = metadata.token_endpoint_auth_methods_supported ?? [];
  if (supported.length === 0 || supported.includes("none")) return "none";
  return ["client_secret_basic", "client_secret_post"].find((method) => supported.includes(method)) ?? "none";
}
