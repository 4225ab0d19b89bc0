/** An authorization server and the MCP server it guards, over loopback, with every fault that a test asks for. */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** May be changed while it runs. */
type AuthorizationBehaviour = {
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

export type AuthorizationServer = AsyncDisposable & {
  /** Of the guarded MCP server. */
  readonly serverUrl: string;
  readonly issuer: string;
  readonly behaviour: AuthorizationBehaviour;
  /** Every request, such as `POST /token refresh_token`. */
  readonly requests: string[];
  /** Bodies of registrations and token requests, as they came. */
  readonly bodies: string[];
  /** No token that was given out is worth anything any more. */
  rejectTokens(): void;
};

type Answer = {
  readonly status: number;
  readonly body?: object;
  readonly headers?: { readonly [name: string]: string };
};
type Issued = { readonly scope: string; readonly expiresAt: number };
type Code = { readonly challenge: string; readonly scope: string; readonly client: string; readonly redirect: string };

export async function openAuthorizationServer(
  now: () => number,
  behaviour: Partial<AuthorizationBehaviour> = {},
): Promise<AuthorizationServer> {
  const state: AuthorizationBehaviour = {
    lifetimeSeconds: 3_600,
    registers: true,
    takesDocuments: false,
    namesIssuer: false,
    requiredScope: "",
    isRevoked: false,
    denies: false,
    isDown: false,
    ...behaviour,
  };
  const requests: string[] = [];
  const bodies: string[] = [];
  const accessTokens = new Map<string, Issued>();
  const refreshTokens = new Map<string, string>();
  const codes = new Map<string, Code>();
  const server = createServer((request, response) => {
    answer(request)
      .then(({ status, body, headers }) => {
        const type = body === undefined ? {} : { "content-type": "application/json" };
        response.writeHead(status, { ...type, ...headers }).end(body === undefined ? "" : JSON.stringify(body));
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const serverUrl = `${issuer}/mcp`;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? "/", issuer);
    const body = await bodyOf(request);
    const grantType = url.pathname === "/token" ? ` ${new URLSearchParams(body).get("grant_type")}` : "";
    requests.push(`${request.method} ${url.pathname}${grantType}`);
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return { status: 200, body: resourceMetadata(state, { issuer, serverUrl }) };
      case "/.well-known/oauth-authorization-server":
        return { status: 200, body: issuerMetadata(state, issuer) };
      case "/register":
        bodies.push(body);
        return { status: 201, body: { ...JSON.parse(body), client_id: `client-${requests.length}` } };
      case "/authorize":
        return authorize(url.searchParams);
      case "/token":
        bodies.push(body);
        return giveTokens(new URLSearchParams(body));
      case "/mcp":
        return guard(request);
      default:
        return { status: 404 };
    }
  }

  function authorize(query: URLSearchParams): Answer {
    const redirect = query.get("redirect_uri") ?? "";
    const back = new URL(redirect);
    back.searchParams.set("state", state.returnedState ?? query.get("state") ?? "");
    if (state.denies) back.searchParams.set("error", "access_denied");
    else {
      const code = randomUUID();
      const challenge = query.get("code_challenge") ?? "";
      codes.set(code, { challenge, scope: query.get("scope") ?? "", client: query.get("client_id") ?? "", redirect });
      back.searchParams.set("code", code);
    }
    if (state.namesIssuer || state.returnedIssuer !== undefined)
      back.searchParams.set("iss", state.returnedIssuer ?? issuer);
    return { status: 302, headers: { location: back.href } };
  }

  function giveTokens(form: URLSearchParams): Answer {
    if (state.isDown) return { status: 503, body: { error: "temporarily_unavailable" } };
    if (form.get("resource") !== serverUrl) return { status: 400, body: { error: "invalid_target" } };
    const scope = form.get("grant_type") === "refresh_token" ? refreshed(form) : redeemed(form);
    if (scope === undefined)
      return { status: 400, body: { error: "invalid_grant", error_description: "\u001b[31mno" } };
    const [access, refresh] = [randomUUID(), randomUUID()];
    accessTokens.set(access, { scope, expiresAt: now() + state.lifetimeSeconds * 1_000 });
    refreshTokens.set(refresh, scope);
    const known = { token_type: "Bearer", expires_in: state.lifetimeSeconds, scope };
    return { status: 200, body: { access_token: access, refresh_token: refresh, ...known } };
  }

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
    return state.isRevoked ? undefined : scope;
  }

  function guard(request: IncomingMessage): Answer {
    const issued = accessTokens.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
    const about = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`;
    if (issued === undefined || now() >= issued.expiresAt)
      return { status: 401, headers: { "www-authenticate": `Bearer ${about}` } };
    const wanted = state.requiredScope.split(" ").filter((word) => word !== "");
    if (wanted.every((word) => issued.scope.split(" ").includes(word))) return { status: 200, body: {} };
    const challenge = `Bearer error="insufficient_scope", scope="${state.requiredScope}", ${about}`;
    return { status: 403, headers: { "www-authenticate": challenge } };
  }

  return {
    ...{ serverUrl, issuer, requests, bodies },
    behaviour: state,
    rejectTokens: () => accessTokens.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

function resourceMetadata(
  { statedResource, requiredScope }: AuthorizationBehaviour,
  { issuer, serverUrl }: Pick<AuthorizationServer, "issuer" | "serverUrl">,
): object {
  return {
    resource: statedResource ?? serverUrl,
    authorization_servers: [issuer],
    ...(requiredScope !== "" && { scopes_supported: requiredScope.split(" ") }),
  };
}

function issuerMetadata(behaviour: AuthorizationBehaviour, issuer: string): object {
  return {
    issuer: behaviour.statedIssuer ?? issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    ...(behaviour.registers && { registration_endpoint: `${issuer}/register` }),
    ...(behaviour.takesDocuments && { client_id_metadata_document_supported: true }),
    ...(behaviour.namesIssuer && { authorization_response_iss_parameter_supported: true }),
  };
}
