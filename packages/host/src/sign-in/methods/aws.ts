/** Amazon Bedrock with a profile of the AWS command line: its keys, or a sign-in to its IAM Identity Center. */
import { FailureError, isJsonObject } from "@kedge/protocol";
import type { AccountRecord } from "../../credentials/account-record.ts";
import { type AuthorityBody, askAuthority, numberOf, textOf } from "../ask-authority.ts";
import { lifeOf } from "../oauth/oauth-flow.ts";
import type { Begun, Renewed, SignInMethod, SignInOutcome, SignInParts } from "../sign-in-method.ts";
import { isSafeAddress, type ProviderSignIn } from "../sign-in-settings.ts";
import { type AwsProfile, type IdentityCenter, readAwsProfile } from "./aws-profile.ts";
import { noticeOf } from "./oauth-methods.ts";

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const scope = "sso:account:access";
const intervalSecondsDefault = 5;
const intervalSecondsMin = 1;

export function awsMethods(settings: ProviderSignIn): readonly SignInMethod[] {
  const payer = "Requests are billed to the AWS account of the profile.";
  return [
    {
      id: "profile",
      label: "AWS profile or IAM Identity Center",
      notice: noticeOf({ name: "AWS", payer }),
      begin: (parts, signal) => begin(settings, parts, signal),
      renew: (record, parts, signal) => renew(settings, record, parts, signal),
      credential: ({ tokens, place }, parts) => {
        const { accessKeyId, secretAccessKey, sessionToken } = tokens;
        const { region, profile } = place;
        const keys =
          profile === undefined
            ? { accessKeyId, secretAccessKey, sessionToken }
            : { credentialProvider: async () => readKeys(profile, parts) };
        return { settings: { ...keys, ...(region !== undefined && { region }) } };
      },
    },
  ];
}

async function begin(settings: ProviderSignIn, parts: SignInParts, signal: AbortSignal): Promise<Begun> {
  const profile = readAwsProfile(settings, parts);
  switch (profile.kind) {
    case "unusable":
      return { kind: "failed", failure: unusable(profile.reason) };
    case "keys":
      return { kind: "signed-in", record: recordOfKeys(profile) };
    case "identity-center":
      return beginAtCentre(settings, profile, parts, signal);
  }
}

/** The profile's own keys are not copied into a file of ours: they are read again for every request. */
function recordOfKeys({ name, region }: Extract<AwsProfile, { readonly kind: "keys" }>): AccountRecord {
  return { place: { profile: name, ...(region !== undefined && { region }) }, tokens: {} };
}

/** Throws what the package that asks turns into the failure of its request. */
function readKeys(name: string, parts: SignInParts) {
  const profile = readAwsProfile({ profile: name }, parts);
  if (profile.kind === "keys") {
    const { accessKeyId, secretAccessKey, sessionToken } = profile;
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  }
  const reason = profile.kind === "unusable" ? profile.reason : `the AWS profile ${name} no longer has keys`;
  throw new FailureError(unusable(reason));
}

/** Both answer at an address of their region; `host` stands for both. */
function addresses(settings: ProviderSignIn, { region }: IdentityCenter) {
  const host = settings.host?.replace(/\/+$/, "");
  return {
    tokens: host ?? `https://oidc.${region}.amazonaws.com`,
    portal: host ?? `https://portal.sso.${region}.amazonaws.com`,
  };
}

type AtCentre = Extract<AwsProfile, { readonly kind: "identity-center" }>;

async function beginAtCentre(
  settings: ProviderSignIn,
  profile: AtCentre,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Begun> {
  const { centre } = profile;
  const base = addresses(settings, centre).tokens;
  const registered = await askAuthority(
    { url: `${base}/client/register`, json: { clientName: "kedge", clientType: "public", scopes: [scope] } },
    parts,
    signal,
  );
  if (!registered.ok) return { kind: "failed", failure: registered.failure };
  const clientId = textOf(registered.body, "clientId") ?? "";
  const clientSecret = textOf(registered.body, "clientSecret") ?? "";
  const asked = await askAuthority(
    { url: `${base}/device_authorization`, json: { clientId, clientSecret, startUrl: centre.startUrl } },
    parts,
    signal,
  );
  if (!asked.ok) return { kind: "failed", failure: asked.failure };
  const { body } = asked;
  const deviceCode = textOf(body, "deviceCode");
  const code = textOf(body, "userCode");
  const url = textOf(body, "verificationUri");
  const seconds = numberOf(body, "expiresIn");
  if (deviceCode === undefined || code === undefined || seconds === undefined || !isSafeAddress(url ?? ""))
    return { kind: "failed", failure: unusable("its response is invalid") };
  const endsAtMs = parts.now() + seconds * 1000;
  const intervalSeconds = Math.max(numberOf(body, "interval") ?? intervalSecondsDefault, intervalSecondsMin);
  const poll = { settings, profile, clientId, clientSecret, deviceCode, endsAtMs, intervalSeconds };
  return { kind: "visit", url: url ?? "", code, endsAtMs, finish: (ended) => pollAtCentre(poll, parts, ended) };
}

type Poll = {
  readonly settings: ProviderSignIn;
  readonly profile: AtCentre;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly deviceCode: string;
  readonly endsAtMs: number;
  readonly intervalSeconds: number;
};

async function pollAtCentre(poll: Poll, parts: SignInParts, signal: AbortSignal): Promise<SignInOutcome> {
  const { settings, profile, clientId, clientSecret, deviceCode, endsAtMs } = poll;
  const url = `${addresses(settings, profile.centre).tokens}/token`;
  const json = { clientId, clientSecret, grantType: deviceGrant, deviceCode };
  let { intervalSeconds } = poll;
  while (parts.now() < endsAtMs) {
    await parts.wait(intervalSeconds * 1000, signal);
    const asked = signal.aborted ? undefined : await askAuthority({ url, json }, parts, signal);
    if (asked === undefined || signal.aborted) return { kind: "cancelled" };
    if (asked.ok) {
      const record = withTokens(recordAtCentre(profile, { clientId, clientSecret }), asked.body);
      const whole = await takeRole(settings, record, parts, signal);
      if (whole.kind === "renewed") return { kind: "signed-in", record: whole.record };
      return whole.kind === "failed"
        ? whole
        : { kind: "denied", reason: "the account is not allowed to use that role" };
    }
    if (asked.error === "slow_down") intervalSeconds += intervalSecondsDefault;
    else if (asked.error === "access_denied") return { kind: "denied" };
    else if (asked.error === "expired_token") return { kind: "expired" };
    else if (asked.error !== "authorization_pending") return { kind: "failed", failure: asked.failure };
  }
  return { kind: "expired" };
}

function recordAtCentre(
  { centre, region }: AtCentre,
  client: { readonly clientId: string; readonly clientSecret: string },
): AccountRecord {
  const { startUrl, region: centreRegion, accountId, roleName } = centre;
  const place = { startUrl, centreRegion, accountId, roleName, ...(region !== undefined && { region }) };
  return { place, tokens: client };
}

function withTokens(record: AccountRecord, body: AuthorityBody): AccountRecord {
  const access = textOf(body, "accessToken") ?? "";
  const refresh = textOf(body, "refreshToken") ?? record.tokens["refresh"];
  return { ...record, tokens: { ...record.tokens, access, ...(refresh !== undefined && { refresh }) } };
}

/** Keys of the role for an hour or so. */
async function takeRole(
  settings: ProviderSignIn,
  record: AccountRecord,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Renewed> {
  const { accountId = "", roleName = "" } = record.place;
  const query = new URLSearchParams({ account_id: accountId, role_name: roleName });
  const { portal } = addresses(settings, centreOf(record));
  const asked = await askAuthority(
    {
      url: `${portal}/federation/credentials?${query}`,
      headers: { "x-amz-sso_bearer_token": record.tokens["access"] ?? "" },
    },
    parts,
    signal,
  );
  if (!asked.ok) return asked.status === 401 ? { kind: "revoked" } : { kind: "failed", failure: asked.failure };
  const role = isJsonObject(asked.body["roleCredentials"]) ? asked.body["roleCredentials"] : {};
  const accessKeyId = textOf(role, "accessKeyId");
  const secretAccessKey = textOf(role, "secretAccessKey");
  const sessionToken = textOf(role, "sessionToken");
  if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined)
    return { kind: "failed", failure: unusable("the role returned no keys") };
  const endsAtMs = numberOf(role, "expiration");
  const nowMs = parts.now();
  return {
    kind: "renewed",
    record: {
      place: record.place,
      tokens: { ...record.tokens, accessKeyId, secretAccessKey, sessionToken },
      ...(endsAtMs !== undefined && lifeOf((endsAtMs - nowMs) / 1000, nowMs)),
    },
  };
}

function centreOf({ place }: AccountRecord): IdentityCenter {
  const { startUrl = "", centreRegion = "", accountId = "", roleName = "" } = place;
  return { startUrl, region: centreRegion, accountId, roleName };
}

async function renew(
  settings: ProviderSignIn,
  record: AccountRecord,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Renewed> {
  const { profile: name } = record.place;
  // Somebody else renews those keys; the next request reads what there is then.
  if (name !== undefined) return { kind: "renewed", record };
  const first = await takeRole(settings, record, parts, signal);
  const { clientId = "", clientSecret = "", refresh } = record.tokens;
  if (first.kind !== "revoked" || refresh === undefined) return first;
  const url = `${addresses(settings, centreOf(record)).tokens}/token`;
  const json = { clientId, clientSecret, grantType: "refresh_token", refreshToken: refresh };
  const asked = await askAuthority({ url, json }, parts, signal);
  if (asked.ok) return takeRole(settings, withTokens(record, asked.body), parts, signal);
  const isOver = ["invalid_grant", "expired_token", "invalid_client", "unauthorized_client"].includes(
    asked.error ?? "",
  );
  return isOver ? { kind: "revoked" } : { kind: "failed", failure: asked.failure };
}

function unusable(reason: string) {
  const message = `Cannot use the AWS account: ${reason}.`;
  return { code: "auth_error", message, recovery: "Check the profile, then sign in again.", retryable: false } as const;
}
