/** Proves signing in to MCP servers against a fake authorization server: every check, one renewal for many, no storm. */
import { type AuthorizationServer, openAuthorizationServer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import {
  type AuthorizationParts,
  authorizeServer,
  type KeptSignIn,
  parseSignIn,
  type SignInSettings,
  type SignInStore,
  signIn,
} from "../../src/mcp/authorization/index.ts";

let site: AuthorizationServer | undefined;
afterEach(async () => {
  await site?.[Symbol.asyncDispose]();
  site = undefined;
});

let time = 0;
const now = () => time;

async function open(behaviour: Parameters<typeof openAuthorizationServer>[1] = {}): Promise<AuthorizationServer> {
  time = 1_000_000;
  site = await openAuthorizationServer(now, behaviour);
  return site;
}

/** Keeps sign-ins as text, as a file would. */
function memorySignIns(): SignInStore & { readonly texts: Map<string, string>; lockCount: number } {
  const texts = new Map<string, string>();
  let queue: Promise<unknown> = Promise.resolve();
  return {
    texts,
    lockCount: 0,
    read: (url) => parseSignIn(texts.get(url) ?? ""),
    write: (url, signedIn) =>
      void (signedIn === undefined ? texts.delete(url) : texts.set(url, JSON.stringify(signedIn))),
    whileLocked(_url, work) {
      this.lockCount++;
      const turn = queue.then(work);
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}

let words = 0;
/** Follows every redirect at once, as a person who is signed in already. */
async function browse(url: URL): Promise<void> {
  await (await fetch(url)).text();
}

function partsFor({ serverUrl }: AuthorizationServer, signIns: SignInStore, settings: SignInSettings = {}) {
  return { serverUrl, settings, signIns, fetch, now, randomWord: () => `word-${words++}` };
}

function authorize(server: AuthorizationServer, signIns: SignInStore, more: Partial<AuthorizationParts> = {}) {
  return authorizeServer({ ...partsFor(server, signIns), name: "tracker", ...more });
}

/** As a transport of the library does: a token before the request, the wrapped fetch for it. */
async function call(server: AuthorizationServer, { authProvider, fetch: wrap }: ReturnType<typeof authorizeServer>) {
  const token = await authProvider.token();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await wrap(fetch)(server.serverUrl, { method: "POST", headers, body: "{}" });
  if (response.status === 401)
    await authProvider.onUnauthorized?.({ response, serverUrl: new URL(server.serverUrl), fetchFn: fetch });
  return response.status;
}

async function signedIn(server: AuthorizationServer, settings: SignInSettings = {}) {
  const signIns = memorySignIns();
  const parts = { ...partsFor(server, signIns, settings), present: browse };
  const outcome = await signIn(parts, {}, new AbortController().signal);
  server.requests.length = 0;
  return { signIns, outcome };
}

function tokensOf(signedIn: KeptSignIn | undefined) {
  return signedIn?.tokens?.accessToken;
}

test("signing in discovers, registers, proves itself with PKCE and keeps the sign-in", async () => {
  const server = await open({ requiredScope: "read" });
  const signIns = memorySignIns();
  const opened: URL[] = [];
  const present = (url: URL) => browse(opened[opened.push(url) - 1] ?? url);
  const outcome = await signIn({ ...partsFor(server, signIns), present }, {}, new AbortController().signal);
  expect(outcome.ok).toBe(true);
  expect(server.requests).toEqual([
    "GET /.well-known/oauth-protected-resource/mcp",
    "GET /.well-known/oauth-authorization-server",
    "POST /register",
    "GET /authorize",
    "POST /token authorization_code",
  ]);
  const query = opened[0]?.searchParams;
  expect(query?.get("resource")).toBe(server.serverUrl);
  expect(query?.get("scope")).toBe("read");
  expect(query?.get("code_challenge_method")).toBe("S256");
  expect(query?.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const signedIn = signIns.read(server.serverUrl);
  expect(signedIn).toMatchObject({ issuer: server.issuer, tokens: { scope: "read", expiresAt: time + 3_600_000 } });
  expect(await call(server, authorize(server, signIns))).toBe(200);
});

test("a metadata document is the client where the issuer takes it, a configured id before everything", async () => {
  const server = await open({ takesDocuments: true });
  const clientMetadataUrl = "https://kedge.example/client.json";
  const { signIns } = await signedIn(server, { clientMetadataUrl });
  expect(signIns.read(server.serverUrl)?.client).toEqual({ id: clientMetadataUrl });
  const configured = await signedIn(server, { clientMetadataUrl, clientId: "mine" });
  expect(configured.signIns.read(server.serverUrl)?.client).toEqual({ id: "mine" });
  expect(server.bodies.filter((body) => body.startsWith("{"))).toEqual([]);
});

test("without registration, documents or an id a person is told what to set", async () => {
  const server = await open({ registers: false });
  const { outcome } = await signedIn(server);
  expect(outcome).toEqual({
    ok: false,
    problem: expect.stringMatching(/only accepts registered clients.*oauth\.clientId/),
  });
});

test("a client that was registered before is used again on its port", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  const parts = { ...partsFor(server, signIns), present: browse };
  expect((await signIn(parts, {}, new AbortController().signal)).ok).toBe(true);
  expect(server.requests.filter((request) => request === "POST /register")).toEqual([]);
});

test.each([
  ["another issuer in the metadata", { statedIssuer: "https://evil.example" }, /could not be used/],
  ["another issuer with the code", { namesIssuer: true, returnedIssuer: "https://evil.example" }, /could not be used/],
  ["another issuer with the code, unannounced", { returnedIssuer: "https://evil.example" }, /could not be used/],
  ["another resource", { statedResource: "https://evil.example/mcp" }, /identifies as "https:\/\/evil\.example\/mcp"/],
  ["a refusal of the person", { denies: true }, /^Access was denied in the browser\.$/],
])("%s ends the sign-in, and nothing is kept", async (_name, behaviour, sentence) => {
  const server = await open(behaviour);
  const { signIns, outcome } = await signedIn(server);
  expect(outcome).toEqual({ ok: false, problem: expect.stringMatching(sentence) });
  expect([...signIns.texts]).toEqual([]);
  expect(server.bodies.filter((body) => body.includes("code_verifier"))).toEqual([]);
});

test("a page with another state is turned away, and the sign-in goes on waiting", async () => {
  const server = await open({ returnedState: "forged" });
  const signIns = memorySignIns();
  const ending = new AbortController();
  const present = async (url: URL) => {
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("was not started by kedge"),
    ]);
    ending.abort();
  };
  expect(await signIn({ ...partsFor(server, signIns), present }, {}, ending.signal)).toEqual({
    ok: false,
    problem: "Sign-in canceled.",
  });
  expect([...signIns.texts]).toEqual([]);
});

test("a token is renewed ahead of its end, once for twenty calls", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  const before = tokensOf(signIns.read(server.serverUrl));
  const authorization = authorize(server, signIns);
  time += 3_600_000 - 30_000;
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(server, authorization)));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(server.requests.filter((request) => request === "POST /token refresh_token")).toHaveLength(1);
  expect(tokensOf(signIns.read(server.serverUrl))).not.toBe(before);
  expect(signIns.lockCount).toBe(1);
});

test("twenty calls that are turned away in their middle share one renewal and all succeed", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  server.rejectTokens();
  const authorization = authorize(server, signIns);
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(server, authorization)));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(server.requests.filter((request) => request === "POST /token refresh_token")).toHaveLength(1);
});

test("a token that ends while its call is under way is renewed, and the call is made once more", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  const { authProvider, fetch: wrap } = authorize(server, signIns);
  time += 3_600_000 - 120_000;
  const token = await authProvider.token();
  time += 180_000;
  const headers = { authorization: `Bearer ${token}` };
  const response = await wrap(fetch)(server.serverUrl, { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(200);
  expect(server.requests.filter((request) => request.startsWith("POST"))).toEqual([
    "POST /mcp",
    "POST /token refresh_token",
    "POST /mcp",
  ]);
});

test("another process that renewed meanwhile is believed", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  const [first, second] = [authorize(server, signIns), authorize(server, signIns)];
  server.rejectTokens();
  expect(await Promise.all([call(server, first), call(server, second)])).toEqual([200, 200]);
  expect(server.requests.filter((request) => request === "POST /token refresh_token")).toHaveLength(1);
});

test("after a revoked sign-in nothing is asked for fifteen minutes, unless somebody signs in", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  server.rejectTokens();
  server.behaviour.isRevoked = true;
  const authorization = authorize(server, signIns);
  await expect(call(server, authorization)).rejects.toThrow("tracker needs a sign-in: kedge mcp auth tracker");
  expect(signIns.read(server.serverUrl)?.tokens).toBeUndefined();
  server.requests.length = 0;
  time += 15 * 60_000 - 1;
  await expect(call(server, authorization)).rejects.toThrow("tracker needs a sign-in: kedge mcp auth tracker");
  expect(server.requests).toEqual([]);
  time += 1;
  await expect(call(server, authorization)).rejects.toThrow("tracker needs a sign-in: kedge mcp auth tracker");
  expect(server.requests).toEqual(["POST /mcp"]);
  server.behaviour.isRevoked = false;
  await signIn({ ...partsFor(server, signIns), present: browse }, {}, new AbortController().signal);
  expect(await call(server, authorization)).toBe(200);
});

test("an issuer that is down costs the call, not the sign-in", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  server.rejectTokens();
  server.behaviour.isDown = true;
  const authorization = authorize(server, signIns);
  await expect(call(server, authorization)).rejects.toThrow(/cannot renew the sign-in at the moment/);
  expect(signIns.read(server.serverUrl)?.tokens?.refreshToken).toBeDefined();
  server.behaviour.isDown = false;
  expect(await call(server, authorization)).toBe(200);
});

test("a refresh token never goes to another issuer", async () => {
  const server = await open();
  const { signIns } = await signedIn(server);
  const kept = signIns.read(server.serverUrl);
  if (kept !== undefined) signIns.write(server.serverUrl, { ...kept, issuer: "https://earlier.example" });
  server.rejectTokens();
  await expect(call(server, authorize(server, signIns))).rejects.toThrow(
    "tracker needs a sign-in: kedge mcp auth tracker",
  );
  expect(server.requests.filter((request) => request.startsWith("POST /token"))).toEqual([]);
});

test("a wider scope is requested with consent, beside what was granted", async () => {
  const server = await open({ requiredScope: "read" });
  const { signIns } = await signedIn(server);
  server.behaviour.requiredScope = "write";
  const asked: unknown[] = [];
  const opened: URL[] = [];
  const interaction = {
    signal: new AbortController().signal,
    consent: async (request: object) => asked.push(request) > 0,
    present: (url: URL) => browse(opened[opened.push(url) - 1] ?? url),
  };
  const authorization = authorize(server, signIns, { interaction });
  expect(await Promise.all([call(server, authorization), call(server, authorization)])).toEqual([200, 200]);
  expect(asked).toEqual([{ host: new URL(server.serverUrl).host, scope: "write" }]);
  expect(opened.map((url) => url.searchParams.get("scope"))).toEqual(["read write"]);
});

test("without consent no browser opens, and the scope is kept for the next sign-in", async () => {
  const server = await open({ requiredScope: "read" });
  const { signIns } = await signedIn(server);
  server.behaviour.requiredScope = "write";
  expect(await call(server, authorize(server, signIns))).toBe(403);
  expect(server.requests).toEqual(["POST /mcp"]);
  expect(signIns.read(server.serverUrl)?.wantedScope).toBe("write");
  await signIn({ ...partsFor(server, signIns), present: browse }, {}, new AbortController().signal);
  expect(await call(server, authorize(server, signIns))).toBe(200);
});

test("a server that never has enough is asked once more and no further", async () => {
  const server = await open({ requiredScope: "read" });
  const { signIns } = await signedIn(server);
  const opened: URL[] = [];
  const interaction = {
    signal: new AbortController().signal,
    consent: async () => true,
    present: async (url: URL) => {
      opened.push(url);
      await browse(url);
      server.behaviour.requiredScope += " more";
    },
  };
  server.behaviour.requiredScope = "never";
  expect(await call(server, authorize(server, signIns, { interaction }))).toBe(403);
  expect(opened).toHaveLength(1);
});

test("the words of a server reach nobody's terminal raw", async () => {
  const server = await open();
  const signIns = memorySignIns();
  const present = async (url: URL) => {
    url.searchParams.set("code_challenge", "another");
    await browse(url);
  };
  const outcome = await signIn({ ...partsFor(server, signIns), present }, {}, new AbortController().signal);
  expect(JSON.stringify(outcome)).not.toContain("\\u001b");
  expect(outcome).toEqual({ ok: false, problem: expect.stringMatching(/refused: /) });
});
