/** Signing in with a code that a person enters in any browser (RFC 8628), also on another machine. */
import { askAuthority, numberOf, textOf } from "../ask-authority.ts";
import type { Begun, SignInOutcome, SignInParts } from "../sign-in-method.ts";
import { isSafeAddress } from "../sign-in-settings.ts";
import { clientOf, type OAuthFlow, recordOf } from "./oauth-flow.ts";

/** What the standard says where the vendor says nothing. */
const intervalSecondsDefault = 5;
const slowerBySeconds = 5;
const lifeSecondsDefault = 900;
const intervalSecondsMin = 1;

const grantType = "urn:ietf:params:oauth:grant-type:device_code";

export async function beginDeviceCode(
  flow: OAuthFlow & { readonly deviceUrl: string },
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Begun> {
  const scope = flow.scopes.join(" ");
  const form = { ...clientOf(flow), ...(scope !== "" && { scope }) };
  const asked = await askAuthority({ url: flow.deviceUrl, form }, parts, signal);
  if (!asked.ok)
    return asked.error === "access_denied" ? { kind: "denied" } : { kind: "failed", failure: asked.failure };
  const { body } = asked;
  const deviceCode = textOf(body, "device_code");
  const code = textOf(body, "user_code");
  // The name that some used before there was a standard.
  const url = textOf(body, "verification_uri") ?? textOf(body, "verification_url");
  if (deviceCode === undefined || code === undefined || url === undefined || !isSafeAddress(url)) {
    return { kind: "failed", failure: notUnderstood(flow.deviceUrl) };
  }
  const endsAtMs = parts.now() + (numberOf(body, "expires_in") ?? lifeSecondsDefault) * 1000;
  const intervalSeconds = Math.max(numberOf(body, "interval") ?? intervalSecondsDefault, intervalSecondsMin);
  const poll = { flow, deviceCode, endsAtMs, intervalSeconds };
  return { kind: "visit", url, code, endsAtMs, finish: (ended) => pollForTokens(poll, parts, ended) };
}

type Poll = {
  readonly flow: OAuthFlow;
  readonly deviceCode: string;
  readonly endsAtMs: number;
  readonly intervalSeconds: number;
};

async function pollForTokens(poll: Poll, parts: SignInParts, signal: AbortSignal): Promise<SignInOutcome> {
  const { flow, deviceCode, endsAtMs } = poll;
  const form = { ...clientOf(flow), grant_type: grantType, device_code: deviceCode };
  let { intervalSeconds } = poll;
  while (parts.now() < endsAtMs) {
    await parts.wait(intervalSeconds * 1000, signal);
    if (signal.aborted) return { kind: "cancelled" };
    const asked = await askAuthority({ url: flow.tokenUrl, form }, parts, signal);
    if (signal.aborted) return { kind: "cancelled" };
    if (asked.ok) {
      const record = recordOf(asked.body, parts.now());
      if (record !== undefined) return { kind: "signed-in", record };
      return { kind: "failed", failure: notUnderstood(flow.tokenUrl) };
    }
    switch (asked.error) {
      case "authorization_pending":
        break;
      case "slow_down":
        intervalSeconds += slowerBySeconds;
        break;
      case "access_denied":
      case "authorization_declined":
        return { kind: "denied" };
      case "expired_token":
        return { kind: "expired" };
      case undefined:
        // A broken connection is no answer; the code is still good.
        if (asked.status === undefined || asked.status >= 500) break;
        return { kind: "failed", failure: asked.failure };
      default:
        return { kind: "failed", failure: asked.failure };
    }
  }
  return { kind: "expired" };
}

function notUnderstood(address: string) {
  const host = URL.parse(address)?.host ?? address;
  const message = `Signing in at ${host} failed: its response is invalid.`;
  return { code: "auth_error", message, retryable: false } as const;
}
