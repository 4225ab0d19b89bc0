/** Signs a person in to an MCP server: in a browser, with a code that comes back to this machine. */
import {
  exchangeAuthorization,
  type FetchLike,
  type OAuthTokens,
  startAuthorization,
} from "@modelcontextprotocol/client";
import { listenForCallback } from "./callback-listener.ts";
import { discoverIssuer, type Issuer } from "./discover-issuer.ts";
import { joinScopes, type KeptSignIn, type SignInClient, type SignInStore, type SignInTokens } from "./kept-sign-in.ts";
import { type ClientSettings, obtainClient } from "./obtain-client.ts";
import { problemSentence, SignInProblem } from "./sign-in-problem.ts";

export type SignInSettings = ClientSettings & {
  /** Where the browser returns to, for clients registered with one port. */
  readonly callbackPort?: number;
  /** Requested where the server names no scope. */
  readonly scope?: string;
};

export type SignInParts = {
  readonly serverUrl: string;
  readonly settings: SignInSettings;
  readonly signIns: SignInStore;
  readonly fetch: FetchLike;
  readonly now: () => number;
  /** A word that nobody can guess. */
  readonly randomWord: () => string;
  /** Shows the address to the person, in a browser or as text. `short` leads there, on this machine only. */
  readonly present: (url: URL, short: URL) => Promise<void> | void;
};

/** What the server said when it turned a request away. */
export type Challenge = { readonly scope?: string; readonly resourceMetadataUrl?: URL };

export type SignInOutcome =
  | { readonly ok: true; readonly signedIn: KeptSignIn }
  /** A sentence for a person. */
  | { readonly ok: false; readonly problem: string };

/** Nobody waits longer for a person; the browser may have been closed. */
const waitMsMax = 10 * 60_000;

/** Enough that nobody guesses it within these minutes. */
const entranceCharacters = 16;

export async function signIn(parts: SignInParts, challenge: Challenge, signal: AbortSignal): Promise<SignInOutcome> {
  const timeout = AbortSignal.timeout(waitMsMax);
  try {
    const signedIn = await completeSignIn(parts, challenge, AbortSignal.any([signal, timeout]));
    parts.signIns.write(parts.serverUrl, signedIn);
    return { ok: true, signedIn };
  } catch (error) {
    if (signal.aborted) return { ok: false, problem: "Sign-in canceled." };
    if (timeout.aborted) return { ok: false, problem: "Sign-in timed out after ten minutes." };
    return { ok: false, problem: problemSentence(error, new URL(parts.serverUrl).host) };
  }
}

async function completeSignIn(parts: SignInParts, challenge: Challenge, signal: AbortSignal): Promise<KeptSignIn> {
  const { serverUrl, settings, signIns, fetch } = parts;
  const known = signIns.read(serverUrl);
  const resourceMetadataUrl = metadataUrlOf(challenge, known);
  const issuer = await discoverIssuer({
    serverUrl,
    fetch,
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  });
  const state = parts.randomWord();
  await using listener = await listenForCallback({
    ...{ state, ports: portsOf(settings, known) },
    entrance: parts.randomWord().slice(0, entranceCharacters),
  });
  const { redirectUri } = listener;
  const scope = scopeOf({ issuer, challenge, known, settings });
  const client = await obtainClient({ issuer, settings, known, redirectUri, scope, fetch });
  const request = {
    metadata: issuer.metadata,
    clientInformation: clientInformation(client),
    ...(issuer.resource !== undefined && { resource: issuer.resource }),
  };
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer.issuer, {
    ...request,
    redirectUrl: redirectUri,
    state,
    ...(scope !== undefined && { scope }),
  });
  if (authorizationUrl.protocol !== "https:" && !isLoopback(authorizationUrl))
    throw new SignInProblem(`The sign-in page is not encrypted: ${authorizationUrl.origin}.`);
  await parts.present(authorizationUrl, listener.leadTo(authorizationUrl));
  const { code, iss } = await listener.wait(signal);
  const tokens = await exchangeAuthorization(issuer.issuer, {
    ...request,
    authorizationCode: code,
    codeVerifier,
    redirectUri,
    ...(iss !== undefined && { iss }),
    fetchFn: fetch,
  });
  return {
    issuer: issuer.issuer,
    client,
    tokens: signInTokens(tokens, { now: parts.now(), requested: scope }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: resourceMetadataUrl.href }),
  };
}

/** What the server says now comes before what it said when somebody signed in. */
export function metadataUrlOf({ resourceMetadataUrl }: Challenge, known: KeptSignIn | undefined): URL | undefined {
  return resourceMetadataUrl ?? URL.parse(known?.resourceMetadataUrl ?? "") ?? undefined;
}

/** A client that was registered for one port returns there, if it can be had; another registration follows otherwise. */
function portsOf({ callbackPort }: SignInSettings, known: KeptSignIn | undefined): readonly number[] {
  if (callbackPort !== undefined) return [callbackPort];
  const registered = known?.client.redirectUri;
  return registered === undefined ? [0] : [Number(new URL(registered).port), 0];
}

type ScopeSources = {
  readonly issuer: Issuer;
  readonly challenge: Challenge;
  readonly known: KeptSignIn | undefined;
  readonly settings: SignInSettings;
};

/** What was granted before is asked for again, so that a wider sign-in loses nothing. */
function scopeOf({ issuer, challenge, known, settings }: ScopeSources): string | undefined {
  const isKnown = known?.issuer === issuer.issuer;
  const asked = joinScopes(
    isKnown && (challenge.scope ?? known.wantedScope) !== undefined ? known.tokens?.scope : undefined,
    isKnown ? known.wantedScope : undefined,
    challenge.scope,
  );
  const scope = asked ?? issuer.scope ?? settings.scope;
  // Without it many issuers give no refresh token, and a person has to sign in every hour.
  const isOffline = scope !== undefined && issuer.metadata.scopes_supported?.includes("offline_access") === true;
  return isOffline ? joinScopes(scope, "offline_access") : scope;
}

/** In the form of the library. */
export function clientInformation({ id, secret, method }: SignInClient) {
  return {
    client_id: id,
    ...(secret !== undefined && { client_secret: secret }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
  };
}

export function signInTokens(
  tokens: OAuthTokens,
  { now, requested }: { readonly now: number; readonly requested: string | undefined },
): SignInTokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
  // An issuer may leave the scope out where it granted what was requested.
  const scope = tokens.scope ?? requested;
  return {
    accessToken,
    obtainedAt: now,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && scope !== "" && { scope }),
    ...(seconds !== undefined && { expiresAt: now + seconds * 1000 }),
  };
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
