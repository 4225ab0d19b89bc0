/** A home, a fake authorisation server and every sign-in that kedge ships, pointed at it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "@kedge/models";
import { type AccountServer, startAccountServer } from "@kedge/testing";
import { createCredentials } from "../../src/credentials/credentials.ts";
import { noKeyring } from "../../src/credentials/keyring.ts";
import { openAccount } from "../../src/sign-in/open-account.ts";
import { createSignInDesk, type SignInDesk } from "../../src/sign-in/sign-in-desk.ts";
import type { MethodId, SignInParts } from "../../src/sign-in/sign-in-method.ts";
import type { SignInSettings } from "../../src/sign-in/sign-in-settings.ts";

export type SignInBench = {
  readonly server: AccountServer;
  readonly desk: SignInDesk;
  readonly home: string;
  /** Every secret that was told. */
  readonly secrets: readonly string[];
  readonly settings: SignInSettings;
  /** Lets time pass. */
  pass(ms: number): void;
  account(provider: string, given?: SignInSettings): Account;
  stored(provider: string): string | undefined;
  close(): Promise<void>;
};

/** Each sign-in with its method, as the fake server stands for it. */
export const signIns: readonly { readonly provider: string; readonly method: MethodId }[] = [
  { provider: "github-copilot", method: "device" },
  { provider: "gitlab", method: "device" },
  { provider: "gitlab", method: "browser" },
  { provider: "google", method: "browser" },
  { provider: "google-vertex", method: "browser" },
  { provider: "azure", method: "device" },
  { provider: "azure", method: "browser" },
  { provider: "amazon-bedrock", method: "profile" },
  { provider: "office", method: "device" },
  { provider: "office", method: "browser" },
];

export async function openSignInBench(change: Partial<SignInSettings> = {}): Promise<SignInBench> {
  const server = await startAccountServer();
  const directory = mkdtempSync(join(tmpdir(), "kedge-sign-in-"));
  const home = join(directory, "home");
  mkdirSync(join(directory, ".aws"), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(directory, ".aws", "config"), awsConfig);
  writeFileSync(
    join(directory, ".aws", "credentials"),
    "[plain]\naws_access_key_id = AKIAPLAIN\naws_secret_access_key = plain-secret\n",
  );
  const client = { clientId: "our-client", host: server.url };
  const settings: SignInSettings = {
    allowed: true,
    providers: {
      "github-copilot": client,
      gitlab: client,
      google: { ...client, clientSecret: "client-secret", project: "billed" },
      "google-vertex": { ...client, clientSecret: "client-secret" },
      azure: { ...client, tenant: "tenant" },
      "amazon-bedrock": { host: server.url, profile: "centre" },
      office: {
        clientId: "our-client",
        tokenUrl: `${server.url}/token`,
        deviceUrl: `${server.url}/device`,
        authorizationUrl: `${server.url}/authorize`,
        scopes: ["models"],
      },
    },
    ...change,
  };
  const secrets: string[] = [];
  let passedMs = 0;
  const credentials = () =>
    createCredentials({ path: join(home, "credentials.json"), environment: {}, keyring: noKeyring });
  const parts: SignInParts = {
    network: {},
    now: () => Date.now() + passedMs,
    // The wait of five minutes for a browser is ended by its answer; the others are the steps of a poll.
    wait: (ms, signal) =>
      ms > 60_000
        ? new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
        : Promise.resolve(),
    randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
    environment: {},
    userDirectory: directory,
    userAgent: "kedge/0-test",
  };
  const onKey = (key: string) => void secrets.push(key);
  const desk = createSignInDesk({
    ...parts,
    settings: () => settings,
    store: (provider, account) => credentials().storeAccount(provider, account),
    onKey,
    newId: () => `login_${crypto.randomUUID()}`,
  });
  return {
    server,
    desk,
    home,
    secrets,
    settings,
    pass(ms) {
      passedMs += ms;
    },
    account: (provider, given = settings) =>
      openAccount({
        ...parts,
        ...{ provider, settings: given, home, onKey, keepsAddress: false },
        read: () => credentials().account(provider),
        store: (account) => credentials().storeAccount(provider, account),
      }),
    stored: (provider) => credentials().account(provider)?.record,
    async close() {
      desk.close();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What the person does: visits the address, and is sent back where it is a browser that was asked for. */
export async function visit(url: string): Promise<number | undefined> {
  const { status, location } = await fetchOnce(url);
  return location === undefined ? status : (await fetchOnce(location)).status;
}

function fetchOnce(
  url: string,
): Promise<{ readonly status: number | undefined; readonly location: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode, location: response.headers.location }));
    }).on("error", reject);
  });
}

const awsConfig = `[profile centre]
sso_session = company
sso_account_id = 111122223333
sso_role_name = Developer
region = eu-central-1
[sso-session company]
sso_start_url = https://company.awsapps.com/start
sso_region = eu-west-1
[profile plain]
region = us-east-1
[profile assuming]
role_arn = arn:aws:iam::1:role/x
[profile program]
credential_process = /bin/false
`;
