/** Signing in with a browser of this machine: a code comes back to a port that only this machine reaches (RFC 8252, PKCE). */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { askAuthority } from "../ask-authority.ts";
import type { Begun, SignInOutcome, SignInParts } from "../sign-in-method.ts";
import { clientOf, type OAuthFlow, recordOf } from "./oauth-flow.ts";

const lifeMs = 5 * 60_000;
const callbackPath = "/callback";

type BrowserFlow = OAuthFlow & { readonly authorizationUrl: string };

export async function beginBrowserCode(flow: BrowserFlow, parts: SignInParts): Promise<Begun> {
  const verifier = base64url(parts.randomBytes(32));
  const state = base64url(parts.randomBytes(24));
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  // Nobody may ever finish; a process that is done must be able to end.
  server.unref();
  // A server that listens on a port has an address of this form.
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${callbackPath}`;
  const url = new URL(flow.authorizationUrl);
  const asked = {
    response_type: "code",
    client_id: flow.clientId,
    redirect_uri: redirectUri,
    scope: flow.scopes.join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...flow.extras,
  };
  for (const [name, value] of Object.entries(asked)) if (value !== "") url.searchParams.set(name, value);
  const endsAtMs = parts.now() + lifeMs;
  return {
    kind: "visit",
    url: url.href,
    endsAtMs,
    async finish(signal) {
      try {
        const returned = await awaitCallback(server, { state, endsAtMs }, parts, signal);
        if (returned.kind !== "code") return returned;
        return await exchange(flow, { code: returned.code, verifier, redirectUri }, parts, signal);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

type Returned = { readonly kind: "code"; readonly code: string } | Exclude<SignInOutcome, { kind: "signed-in" }>;

/** Requests that do not know the state are answered and otherwise ignored: anything on this machine could send them. */
async function awaitCallback(
  server: Server,
  { state, endsAtMs }: { readonly state: string; readonly endsAtMs: number },
  { now, wait }: SignInParts,
  signal: AbortSignal,
): Promise<Returned> {
  if (signal.aborted) return { kind: "cancelled" };
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const called = new Promise<Returned>((resolve) => {
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const { searchParams: query, pathname } = url;
      if (pathname !== callbackPath || !isSame(query.get("state") ?? "", state))
        return tell(response, 404, "Not found.");
      const code = query.get("code");
      const error = query.get("error");
      tell(response, 200, code === null ? "Sign-in failed." : "Signed in to kedge. You can close this page.");
      if (code !== null) resolve({ kind: "code", code });
      else resolve({ kind: "denied", ...(error !== null && error !== "access_denied" && { reason: error }) });
    });
  });
  const timed = wait(Math.max(0, endsAtMs - now()), either).then(
    (): Returned => (signal.aborted ? { kind: "cancelled" } : { kind: "expired" }),
  );
  try {
    return await Promise.race([called, timed]);
  } finally {
    over.abort();
  }
}

function tell(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`${sentence}\n`);
}

function isSame(given: string, wanted: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(wanted);
  return left.length === right.length && timingSafeEqual(left, right);
}

type Code = { readonly code: string; readonly verifier: string; readonly redirectUri: string };

async function exchange(
  flow: OAuthFlow,
  { code, verifier, redirectUri }: Code,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  const form = {
    ...clientOf(flow),
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  };
  const asked = await askAuthority({ url: flow.tokenUrl, form }, parts, signal);
  if (!asked.ok) {
    if (asked.error === "access_denied") return { kind: "denied" };
    return asked.error === "invalid_grant" ? { kind: "expired" } : { kind: "failed", failure: asked.failure };
  }
  const record = recordOf(asked.body, parts.now());
  if (record !== undefined) return { kind: "signed-in", record };
  const message = "The provider sent no token.";
  return { kind: "failed", failure: { code: "auth_error", message, retryable: false } };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
