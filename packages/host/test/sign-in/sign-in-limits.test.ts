/** Proves what a sign-in says before it begins, who can forbid it, and that it never uses what belongs to another program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readAwsProfile } from "../../src/sign-in/methods/aws-profile.ts";
import { isSafeAddress } from "../../src/sign-in/sign-in-settings.ts";
import { openSignInBench, type SignInBench } from "./sign-in-bench.ts";

let bench: SignInBench | undefined;
afterEach(() => bench?.close());

const never = new AbortController().signal;

test.each(["github-copilot", "gitlab", "google", "azure", "amazon-bedrock"])(
  "%s: who pays is said, and that the vendor may forbid or bill it",
  async (provider) => {
    bench = await openSignInBench();
    for (const { notice } of bench.desk.methods(provider)) {
      expect(notice).toMatch(/pays|billed/);
      expect(notice).toContain("may forbid use by other programs or bill it separately");
      expect(notice).toContain("kedge identifies itself as kedge");
    }
  },
);

test("vendors without a sign-in have none, consumer subscriptions among them", async () => {
  bench = await openSignInBench();
  for (const provider of ["anthropic", "openai", "constructor"]) expect(bench.desk.methods(provider)).toEqual([]);
});

test.each(["github-copilot", "gitlab", "google", "azure"])(
  "%s: without a client id of one's own the sentence says what to set, and nobody is asked",
  async (provider) => {
    bench = await openSignInBench({ providers: {} });
    const [method] = bench.desk.methods(provider);
    expect(method?.missing).toContain(`Set signIn.providers.${provider}.clientId`);
    expect(await bench.desk.begin(provider, method?.id ?? "device")).toEqual({
      ok: false,
      sentence: method?.missing,
    });
    expect(bench.server.requests).toEqual([]);
  },
);

test.each([[false], [["gitlab"]]])(
  "a policy that allows %j forbids Copilot, also with a stored account",
  async (allowed) => {
    const before = await openSignInBench();
    const begun = await before.desk.begin("github-copilot", "device");
    if (!begun.ok) throw new Error(begun.sentence);
    await before.desk.finish(begun.signInId);
    bench = await openSignInBench({ allowed });
    const sentence =
      "Signing in to github-copilot with an account is not allowed: the setting signIn.allowed or your organization's policy disables it.";
    expect(bench.desk.methods("github-copilot")).toEqual([]);
    expect(await bench.desk.begin("github-copilot", "device")).toEqual({ ok: false, sentence });
    const account = before.account("github-copilot", { ...before.settings, allowed });
    expect(await account.current(never)).toMatchObject({ ok: false, failure: { message: sentence } });
    await before.close();
  },
);

test("keys of an AWS profile are read for each request and never copied", async () => {
  bench = await openSignInBench({ providers: { "amazon-bedrock": { profile: "plain" } } });
  const begun = await bench.desk.begin("amazon-bedrock", "profile");
  if (!begun.ok) throw new Error(begun.sentence);
  expect(begun.url).toBeUndefined();
  expect(await bench.desk.finish(begun.signInId)).toMatchObject({ isSignedIn: true });
  expect(readFileSync(join(bench.home, "credentials.json"), "utf8")).not.toContain("plain-secret");
  const found = await bench.account("amazon-bedrock").current(never);
  if (!found.ok) throw new Error(found.failure.message);
  const { credentialProvider, region } = found.credential.settings ?? {};
  expect(region).toBe("us-east-1");
  if (typeof credentialProvider !== "function") throw new Error("The package asks a function for keys.");
  expect(await credentialProvider()).toEqual({ accessKeyId: "AKIAPLAIN", secretAccessKey: "plain-secret" });
});

test.each([
  ["assuming", "the AWS profile assuming assumes a role, which kedge does not support"],
  ["program", "the AWS profile program gets its keys from a program, which kedge does not support"],
  ["nobody", "has no profile nobody with keys or an IAM Identity Center"],
])("the AWS profile %s is refused with the reason", async (profile, reason) => {
  bench = await openSignInBench({ providers: { "amazon-bedrock": { profile } } });
  const begun = await bench.desk.begin("amazon-bedrock", "profile");
  expect(begun).toEqual({ ok: false, sentence: expect.stringContaining(reason) });
});

test("an identity center can be named without a profile", () => {
  const centre = { startUrl: "https://a.example", region: "eu-west-1", accountId: "1", roleName: "r" };
  const places = { environment: {}, userDirectory: "/nonexistent" };
  expect(readAwsProfile(centre, places)).toMatchObject({ kind: "identity-center", centre });
});

test.each([
  ["https://gitlab.example.com", true],
  ["http://127.0.0.1:8080", true],
  ["http://gitlab.example.com", false],
  ["https://user:word@gitlab.example.com", false],
  ["javascript:alert(1)", false],
  ["file:///etc/passwd", false],
])("tokens may go to %s: %s", (address, isSafe) => {
  expect(isSafeAddress(address)).toBe(isSafe);
});
