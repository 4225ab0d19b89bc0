/** An authorization server and the MCP server it guards, over loopback, with every fault that a test asks for. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, type AuthorizationBehaviour, createIssuedTokens } from "./issued-tokens.ts";

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
  const tokens = createIssuedTokens({ issuer, serverUrl, behaviour: state, now });

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
        return tokens.authorize(url.searchParams);
      case "/token":
        bodies.push(body);
        return tokens.give(new URLSearchParams(body));
      case "/mcp":
        return guard(request);
      default:
        return { status: 404 };
    }
  }

  function guard(request: IncomingMessage): Answer {
    const scope = tokens.scopeOf(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
    const about = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`;
    if (scope === undefined) return { status: 401, headers: { "www-authenticate": `Bearer ${about}` } };
    const wanted = state.requiredScope.split(" ").filter((word) => word !== "");
    if (wanted.every((word) => scope.split(" ").includes(word))) return { status: 200, body: {} };
    const challenge = `Bearer error="insufficient_scope", scope="${state.requiredScope}", ${about}`;
    return { status: 403, headers: { "www-authenticate": challenge } };
  }

  return {
    ...{ serverUrl, issuer, requests, bodies },
    behaviour: state,
    rejectTokens: tokens.reject,
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
