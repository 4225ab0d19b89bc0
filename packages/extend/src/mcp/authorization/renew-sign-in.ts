/** Renews the access token of a sign-in with its refresh token: one process at a time, never with another issuer. */
import { type FetchLike, OAuthError, OAuthErrorCode, refreshAuthorization } from "@modelcontextprotocol/client";
import { discoverIssuer } from "./discover-issuer.ts";
import type { KeptSignIn, SignInStore } from "./kept-sign-in.ts";
import { type Challenge, clientInformation, metadataUrlOf, signInTokens } from "./sign-in.ts";
import { SignInProblem } from "./sign-in-problem.ts";

export type RenewParts = {
  readonly serverUrl: string;
  readonly signIns: SignInStore;
  readonly fetch: FetchLike;
  readonly now: () => number;
};

/** The token to be replaced, and what the server said when it turned it away. */
export type Rejection = { readonly used: string; readonly challenge: Challenge };

/**
 * The token that takes the place of `used`, or undefined when a person has to sign in. Throws when the issuer cannot be
 * reached: the sign-in is kept then, since nobody said that it is worth nothing.
 */
export async function renewSignIn(parts: RenewParts, { used, challenge }: Rejection): Promise<string | undefined> {
  const { signIns, serverUrl } = parts;
  return signIns.whileLocked(serverUrl, async () => {
    const signedIn = signIns.read(serverUrl);
    const tokens = signedIn?.tokens;
    // Another process was faster: its token is as good, and the refresh token of ours is used up.
    if (tokens !== undefined && tokens.accessToken !== used) return tokens.accessToken;
    if (signedIn === undefined || tokens?.refreshToken === undefined) return undefined;
    return refresh(parts, { signedIn, refreshToken: tokens.refreshToken, challenge });
  });
}

/** What says that the sign-in is worth nothing any more; everything else may pass. */
const final: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

type Refresh = { readonly signedIn: KeptSignIn; readonly refreshToken: string; readonly challenge: Challenge };

async function refresh(parts: RenewParts, { signedIn, refreshToken, challenge }: Refresh): Promise<string | undefined> {
  const { signIns, serverUrl, fetch, now } = parts;
  const resourceMetadataUrl = metadataUrlOf(challenge, signedIn);
  const issuer = await discoverIssuer({
    serverUrl,
    fetch,
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  });
  // Whoever signs people in now is not the one who gave this token, and must not see it.
  if (issuer.issuer !== signedIn.issuer) return undefined;
  try {
    const renewed = await refreshAuthorization(issuer.issuer, {
      metadata: issuer.metadata,
      clientInformation: clientInformation(signedIn.client),
      refreshToken,
      ...(issuer.resource !== undefined && { resource: issuer.resource }),
      fetchFn: fetch,
    });
    const tokens = signInTokens(renewed, { now: now(), requested: signedIn.tokens?.scope });
    signIns.write(serverUrl, { ...signedIn, tokens });
    return tokens.accessToken;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (!final.has(error.code)) {
      const sentence = `${new URL(issuer.issuer).host} cannot renew the sign-in at the moment.`;
      throw new SignInProblem(sentence, { cause: error });
    }
    // The client stays: the same registration serves the next sign-in, unless the issuer forgot it.
    const { tokens: _revoked, ...kept } = signedIn;
    if (error.code !== OAuthErrorCode.InvalidGrant) {
      signIns.write(serverUrl, undefined);
      return undefined;
    }
    signIns.write(serverUrl, kept);
    return undefined;
  }
}
