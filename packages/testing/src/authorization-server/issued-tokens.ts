/** The codes and tokens of an authorization server: how they are given out, and what they are worth. */
import { createHash, randomUUID } from "node:crypto";

/** May be changed while it runs. */
export type AuthorizationBehaviour = {
  lifetimeSeconds: number;
  /** Dynamic registration is offered. */
  registers: boolean;
  /** Addresses of metadata documents count as clients. */
  takesDocuments: boolean;
  /** Sends `iss` back with the code, and says that it does. */
  namesIssuer: boolean;
  /** What requests to the guarded server need. */
  requiredScope: string;
  /** Refresh tokens are refused. */
  isRevoked: boolean;
  /** The person says no. */
  denies: boolean;
  /** The token endpoint fails. */
  isDown: boolean;
  /** What comes back instead of the state that was sent. */
  returnedState?: string;
  /** What comes back instead of the issuer. */
  returnedIssuer?: string;
  /** What the metadata call the issuer. */
  statedIssuer?: string;
  /** What the guarded server says it is. */
  statedResource?: string;
};

export type Answer = {
  readonly status: number;
  readonly body?: object;
  readonly headers?: { readonly [name: string]: string };
};

type Issued = { readonly scope: string; readonly expiresAt: number };
type Code = { readonly challenge: string; readonly scope: string; readonly client: string; readonly redirect: string };

export type IssuedTokensParts = {
  readonly issuer: string;
  /** The server that the tokens are for. */
  readonly serverUrl: string;
  readonly behaviour: AuthorizationBehaviour;
  readonly now: () => number;
};

export type IssuedTokens = {
  authorize(query: URLSearchParams): Answer;
  give(form: URLSearchParams): Answer;
  /** Undefined for a token that is worth nothing. */
  scopeOf(token: string): string | undefined;
  reject(): void;
};

export function createIssuedTokens({ issuer, serverUrl, behaviour, now }: IssuedTokensParts): IssuedTokens {
  const accessTokens = new Map<string, Issued>();
  const refreshTokens = new Map<string, string>();
  const codes = new Map<string, Code>();

  function redeemed(form: URLSearchParams): string | undefined {
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const fits =
      code?.challenge === proof && code.client === form.get("client_id") && code.redirect === form.get("redirect_uri");
    return fits ? code?.scope : undefined;
  }

  /** Rotates: a refresh token that was used once is worth nothing. */
  function refreshed(form: URLSearchParams): string | undefined {
    const token = form.get("refresh_token") ?? "";
    const scope = refreshTokens.get(token);
    refreshTokens.delete(token);
    return behaviour.isRevoked ? undefined : scope;
  }

  return {
    authorize(query) {
      const redirect = query.get("redirect_uri") ?? "";
      const back = new URL(redirect);
      back.searchParams.set("state", behaviour.returnedState ?? query.get("state") ?? "");
      if (behaviour.denies) back.searchParams.set("error", "access_denied");
      else {
        const code = randomUUID();
        const challenge = query.get("code_challenge") ?? "";
        codes.set(code, { challenge, scope: query.get("scope") ?? "", client: query.get("client_id") ?? "", redirect });
        back.searchParams.set("code", code);
      }
      if (behaviour.namesIssuer || behaviour.returnedIssuer !== undefined)
        back.searchParams.set("iss", behaviour.returnedIssuer ?? issuer);
      return { status: 302, headers: { location: back.href } };
    },
    give(form) {
      if (behaviour.isDown) return { status: 503, body: { error: "temporarily_unavailable" } };
      if (form.get("resource") !== serverUrl) return { status: 400, body: { error: "invalid_target" } };
      const scope = form.get("grant_type") === "refresh_token" ? refreshed(form) : redeemed(form);
      if (scope === undefined)
        return { status: 400, body: { error: "invalid_grant", error_description: "\u001b[31mno" } };
      const [access, refresh] = [randomUUID(), randomUUID()];
      accessTokens.set(access, { scope, expiresAt: now() + behaviour.lifetimeSeconds * 1_000 });
      refreshTokens.set(refresh, scope);
      const known = { token_type: "Bearer", expires_in: behaviour.lifetimeSeconds, scope };
      return { status: 200, body: { access_token: access, refresh_token: refresh, ...known } };
    },
    scopeOf(token) {
      const issued = accessTokens.get(token);
      return issued === undefined || now() >= issued.expiresAt ? undefined : issued.scope;
    },
    reject: () => accessTokens.clear(),
  };
}
