/** Lets requests to one MCP server carry a token, renews it ahead of time, and says when a person has to sign in. */
import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  type FetchLike,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { isDue, isExpired, joinScopes } from "./kept-sign-in.ts";
import { renewSignIn } from "./renew-sign-in.ts";
import { type Challenge, type SignInParts, signIn } from "./sign-in.ts";

/** What a connection of the library is given. */
export type ServerAuthorization = {
  readonly authProvider: AuthProvider;
  /** Renews on 401, asks for more on 403, and repeats the request with the new token. */
  readonly fetch: (send: FetchLike) => FetchLike;
};

export type AuthorizationParts = Omit<SignInParts, "present"> & {
  /** As configured, for sentences. */
  readonly name: string;
  /**
   * Asked before a browser opens. Without it nothing is ever opened, and the server waits for `kedge mcp auth`.
   */
  readonly interaction?: {
    consent(request: { readonly host: string; readonly scope?: string }): Promise<boolean>;
    readonly present: SignInParts["present"];
    readonly signal: AbortSignal;
  };
};

/** For so long after a refusal nobody asks the server again, unless somebody signed in meanwhile. */
const quietMs = 15 * 60_000;

/** One wider sign-in for a request: a server that still wants more would otherwise have it asked for without end. */
const stepUpsMax = 1;

export function authorizeServer(parts: AuthorizationParts): ServerAuthorization {
  const { serverUrl, signIns, now, name } = parts;
  let refused: { readonly until: number; readonly token: string | undefined } | undefined;
  /** By the token that has to be replaced: twenty calls that were turned away together cause one renewal. */
  const renewals = new Map<string, Promise<string | undefined>>();
  let signingIn: Promise<string | undefined> | undefined;

  const stored = () => signIns.read(serverUrl)?.tokens;
  const refuse = () => {
    refused = { until: now() + quietMs, token: stored()?.accessToken };
  };
  const needed = () => new UnauthorizedError(`${name} needs a sign-in: kedge mcp auth ${name}`);

  function renew(used: string, challenge: Challenge = {}): Promise<string | undefined> {
    const running = renewals.get(used);
    if (running !== undefined) return running;
    const renewal = renewSignIn(parts, { used, challenge }).finally(() => renewals.delete(used));
    renewals.set(used, renewal);
    return renewal;
  }

  /** In single flight as well: one question and one browser, however many calls wait. */
  function signInOnce(challenge: Challenge): Promise<string | undefined> {
    signingIn ??= interact(challenge).finally(() => {
      signingIn = undefined;
    });
    return signingIn;
  }

  async function interact(challenge: Challenge): Promise<string | undefined> {
    const { interaction } = parts;
    if (interaction === undefined) return undefined;
    const { host } = new URL(serverUrl);
    const { scope } = challenge;
    if (!(await interaction.consent({ host, ...(scope !== undefined && { scope }) }))) return undefined;
    const outcome = await signIn({ ...parts, present: interaction.present }, challenge, interaction.signal);
    if (!outcome.ok) throw new UnauthorizedError(outcome.problem);
    return outcome.signedIn.tokens?.accessToken;
  }

  async function token(): Promise<string | undefined> {
    const tokens = stored();
    if (refused !== undefined && now() < refused.until && refused.token === tokens?.accessToken) throw needed();
    if (tokens === undefined || !isDue(tokens, now())) return tokens?.accessToken;
    try {
      return (await renew(tokens.accessToken)) ?? tokens.accessToken;
    } catch (error) {
      // There is a minute left to try again.
      if (!isExpired(tokens, now())) return tokens.accessToken;
      throw error;
    }
  }

  async function replaceRejected(rejected: string | undefined, challenge: Challenge): Promise<string | undefined> {
    const current = stored()?.accessToken;
    // The answer is to a request from before the last renewal.
    if (current !== undefined && current !== rejected) return current;
    const renewed = rejected === undefined ? undefined : await renew(rejected, challenge);
    return renewed ?? signInOnce(challenge);
  }

  async function stepUp(rejected: string | undefined, challenge: Challenge): Promise<string | undefined> {
    const signedIn = signIns.read(serverUrl);
    const current = signedIn?.tokens?.accessToken;
    if (current !== undefined && current !== rejected) return current;
    // Kept, so that a sign-in from outside of this session asks for it as well.
    if (signedIn !== undefined && challenge.scope !== undefined) {
      const wantedScope = joinScopes(signedIn.wantedScope, challenge.scope);
      signIns.write(serverUrl, { ...signedIn, ...(wantedScope !== undefined && { wantedScope }) });
    }
    return signInOnce(challenge);
  }

  const withToken =
    (send: FetchLike): FetchLike =>
    async (url, init) => {
      let request = init;
      let response = await send(url, request);
      let isRenewed = false;
      let stepUps = 0;
      while (true) {
        const rejected = bearerOf(request);
        const challenge = challengeOf(response);
        let next: string | undefined;
        if (response.status === 401 && !isRenewed) {
          isRenewed = true;
          next = await replaceRejected(rejected, challenge);
        } else if (isTooNarrow(response) && stepUps < stepUpsMax) {
          stepUps++;
          next = await stepUp(rejected, challenge);
        }
        if (next === undefined) break;
        await response.body?.cancel();
        request = withBearer(init, next);
        response = await send(url, request);
      }
      if (response.status === 401) refuse();
      return response;
    };

  return {
    authProvider: {
      token,
      // Everything that can be done about it was done before the answer came here.
      onUnauthorized: () => Promise.reject(needed()),
    },
    fetch: withToken,
  };
}

function challengeOf(response: Response): Challenge {
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  return {
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  };
}

function isTooNarrow(response: Response): boolean {
  return response.status === 403 && extractWWWAuthenticateParams(response).error === "insufficient_scope";
}

type RequestOptions = Parameters<FetchLike>[1];

function bearerOf(init: RequestOptions): string | undefined {
  const value = new Headers(init?.headers).get("authorization");
  return value?.startsWith("Bearer ") ? value.slice("Bearer ".length) : undefined;
}

function withBearer(init: RequestOptions, token: string): RequestOptions {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}
