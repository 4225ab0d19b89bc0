/** Proves every sign-in against a fake authorisation server: success, denial, an expired code, renewal, revocation. */
import type { AccountCredential } from "@kedge/models";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSignInBench, type SignInBench, signIns, visit } from "./sign-in-bench.ts";

let bench: SignInBench;
beforeEach(async () => {
  bench = await openSignInBench();
});
afterEach(() => bench.close());

const never = new AbortController().signal;

async function signIn(provider: string, method: (typeof signIns)[number]["method"]) {
  const begun = await bench.desk.begin(provider, method);
  if (!begun.ok) throw new Error(begun.sentence);
  const finished = bench.desk.finish(begun.signInId);
  if (method === "browser") await visit(begun.url ?? "");
  return { begun, finished: await finished };
}

async function current(provider: string, account = bench.account(provider)): Promise<AccountCredential> {
  const found = await account.current(never);
  if (!found.ok) throw new Error(found.failure.message);
  return found.credential;
}

const names = signIns.map(({ provider, method }) => [`${provider} by ${method}`, provider, method] as const);

test.each(names)("%s: success", async (_, provider, method) => {
  bench.server.answers.polls = ["authorization_pending", "slow_down"];
  const { begun, finished } = await signIn(provider, method);
  expect(finished).toEqual({
    isSignedIn: true,
    sentence: `Signed in to ${provider}. Tokens saved in a file that only you can read.`,
  });
  if (method !== "browser") {
    expect(begun).toMatchObject({ url: `${bench.server.url}/enter`, code: "WDJB-MJHT" });
  }
  expect(JSON.stringify(await current(provider))).toMatch(/copilot-token|access-token-1|refresh-token-1|role-secret-1/);
  // Whatever is kept as a secret is known as one, and kedge says who it is.
  expect(bench.secrets).toContain(provider === "google-vertex" ? "refresh-token-1" : "access-token-1");
  const own = bench.server.requests.filter(({ path }) => !/authorize$|\/auth$/.test(path));
  expect(new Set(own.map(({ headers }) => headers["user-agent"]))).toEqual(new Set(["kedge/0-test"]));
});

test.each(names)("%s: denied", async (_, provider, method) => {
  bench.server.answers.polls = ["access_denied"];
  bench.server.answers.consent = "denied";
  const { finished } = await signIn(provider, method);
  expect(finished).toEqual({ isSignedIn: false, sentence: `The sign-in to ${provider} was denied.` });
  expect(bench.stored(provider)).toBeUndefined();
});

test.each(names)("%s: expired code", async (_, provider, method) => {
  bench.server.answers.polls = ["authorization_pending", "expired_token"];
  const begun = await bench.desk.begin(provider, method);
  if (!begun.ok) throw new Error(begun.sentence);
  const finished = bench.desk.finish(begun.signInId);
  if (method === "browser") {
    // The code that comes back was used up or is too old: the server forgot it.
    const page = new URL(begun.url ?? "");
    const back = new URL(page.searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("state", page.searchParams.get("state") ?? "");
    back.searchParams.set("code", "old");
    await visit(back.href);
  }
  expect(await finished).toEqual({
    isSignedIn: false,
    sentence: `The sign-in to ${provider} was not finished in time. Try again.`,
  });
  expect(bench.stored(provider)).toBeUndefined();
});

const renewing = names.filter(([, provider]) => provider !== "google-vertex");

test.each(renewing)("%s: renewed ahead of its end, once, and for other processes too", async (_, provider, method) => {
  await signIn(provider, method);
  const account = bench.account(provider);
  const first = await current(provider, account);
  expect(await current(provider, account)).toBe(first);
  // Not over yet, but soon.
  bench.pass(3_590_000);
  const [second, beside] = await Promise.all([current(provider, account), current(provider, account)]);
  expect(second).not.toEqual(first);
  expect(beside).toBe(second);
  expect(await current(provider)).toEqual(second);
});

test.each(renewing)("%s: a revoked refresh token is said, with what to do", async (_, provider, method) => {
  await signIn(provider, method);
  bench.server.answers.refresh = "revoked";
  bench.server.answers.exchange = "revoked";
  bench.pass(4_000_000);
  const account = bench.account(provider);
  expect(await account.current(never)).toEqual({
    ok: false,
    failure: {
      code: "token_revoked",
      message: `The sign-in to ${provider} has expired or was revoked.`,
      recovery: `Run \`kedge auth login ${provider}\`, or /login in the terminal UI.`,
      retryable: false,
    },
  });
  expect(await account.renew()).toBe(false);
});

test("what the vendor rejected is renewed once, and what another process renewed is taken over", async () => {
  await signIn("gitlab", "device");
  const [one, other] = [bench.account("gitlab"), bench.account("gitlab")];
  expect((await current("gitlab", one)).apiKey).toBe("access-token-1");
  expect((await current("gitlab", other)).apiKey).toBe("access-token-1");
  expect(await one.renew()).toBe(true);
  // The fake server revokes whoever uses a refresh token twice, as GitLab does.
  expect(await other.renew()).toBe(true);
  expect((await current("gitlab", one)).apiKey).toBe("access-token-2");
  expect((await current("gitlab", other)).apiKey).toBe("access-token-2");
});

test("a vendor that is down does not end what is still good", async () => {
  await signIn("gitlab", "device");
  bench.server.answers.refresh = "down";
  bench.pass(3_590_000);
  expect((await current("gitlab")).apiKey).toBe("access-token-1");
  bench.pass(60_000);
  expect(await bench.account("gitlab").current(never)).toMatchObject({ ok: false, failure: { code: "auth_error" } });
});

test("the Copilot token goes where GitHub says, and an account without Copilot is told so", async () => {
  bench.server.answers.api = "https://api.business.example.com";
  await signIn("github-copilot", "device");
  expect(await current("github-copilot")).toMatchObject({ baseURL: "https://api.business.example.com" });
  bench.server.answers.exchange = "forbidden";
  expect((await signIn("github-copilot", "device")).finished).toEqual({
    isSignedIn: false,
    sentence:
      "This GitHub account or OAuth app has no access to Copilot. Check the account's Copilot plan and whether GitHub allows the OAuth app.",
  });
});

test("what each vendor's requests are sent with", async () => {
  await signIn("google", "browser");
  expect(await current("google")).toEqual({
    headers: { authorization: "Bearer access-token-1", "x-goog-user-project": "billed" },
  });
  await signIn("google-vertex", "browser");
  expect(await current("google-vertex")).toEqual({
    settings: {
      googleAuthOptions: {
        credentials: {
          type: "authorized_user",
          client_id: "our-client",
          client_secret: "client-secret",
          refresh_token: "refresh-token-2",
        },
      },
    },
  });
  await signIn("gitlab", "device");
  expect(await current("gitlab")).toEqual({
    apiKey: "access-token-3",
    settings: { instanceUrl: bench.server.url },
  });
  await signIn("amazon-bedrock", "profile");
  expect(await current("amazon-bedrock")).toEqual({
    settings: {
      accessKeyId: "role-key-id",
      secretAccessKey: "role-secret-4",
      sessionToken: expect.stringMatching(/^role-session-/),
      region: "eu-central-1",
    },
  });
});

test("a code without the right state is nobody's answer", async () => {
  const begun = await bench.desk.begin("office", "browser");
  if (!begun.ok) throw new Error(begun.sentence);
  const finished = bench.desk.finish(begun.signInId);
  const back = new URL(new URL(begun.url ?? "").searchParams.get("redirect_uri") ?? "");
  expect(back.hostname).toBe("127.0.0.1");
  expect(await visit(`${back.href}?state=wrong&code=stolen`)).toBe(404);
  expect(await visit(`${back.origin}/other`)).toBe(404);
  expect(await visit(begun.url ?? "")).toBe(200);
  expect(await finished).toMatchObject({ isSignedIn: true });
  expect(bench.server.requests.some(({ fields }) => fields["code"] === "stolen")).toBe(false);
});

test("a cancelled sign-in ends, and stores nothing", async () => {
  const begun = await bench.desk.begin("office", "browser");
  if (!begun.ok) throw new Error(begun.sentence);
  const finished = bench.desk.finish(begun.signInId);
  expect(bench.desk.cancel(begun.signInId)).toBe(true);
  expect(await finished).toEqual({ isSignedIn: false, sentence: "Sign-in to office canceled." });
  expect(bench.desk.cancel(begun.signInId)).toBe(false);
  expect(bench.stored("office")).toBeUndefined();
});
