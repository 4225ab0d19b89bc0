/** GitHub Copilot: a device code for the GitHub account, then a token for half an hour, also of an enterprise's own host. */
import { isJsonObject } from "@kedge/protocol";
import type { AccountRecord } from "../../credentials/account-record.ts";
import { askAuthority, numberOf, textOf } from "../ask-authority.ts";
import type { Renewed, SignInMethod, SignInParts } from "../sign-in-method.ts";
import { isSafeAddress, type ProviderSignIn } from "../sign-in-settings.ts";
import { oauthMethods } from "./oauth-methods.ts";

const usualHost = "https://github.com";

export function copilotMethods({ clientId, clientSecret, host = usualHost }: ProviderSignIn): readonly SignInMethod[] {
  const site = new URL(host).origin;
  return oauthMethods({
    provider: "github-copilot",
    name: "GitHub",
    payer: "Requests count against the Copilot plan of the GitHub account and are billed to its owner.",
    flow: {
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      deviceUrl: `${site}/login/device/code`,
      tokenUrl: `${site}/login/oauth/access_token`,
      scopes: ["read:user"],
    },
    place: { host: site },
    complete: exchange,
    credential: ({ tokens, place }) => ({
      apiKey: tokens["copilot"] ?? "",
      ...(place["api"] !== undefined && { baseURL: place["api"] }),
    }),
  });
}

/** Where an installation answers programs: beside the site at GitHub, below it on a server of one's own. */
function programAddress(site: string): string {
  const { hostname, host } = new URL(site);
  if (hostname === "github.com" || hostname.endsWith(".ghe.com")) return `https://api.${host}`;
  return `${site}/api/v3`;
}

async function exchange(record: AccountRecord, parts: SignInParts, signal: AbortSignal): Promise<Renewed> {
  const { host: site = usualHost } = record.place;
  const { access = "" } = record.tokens;
  const asked = await askAuthority(
    {
      url: `${programAddress(site)}/copilot_internal/v2/token`,
      headers: { authorization: `token ${access}`, "editor-version": parts.userAgent },
    },
    parts,
    signal,
  );
  if (!asked.ok) return asked.status === 401 ? { kind: "revoked" } : { kind: "failed", failure: refused(asked) };
  const { body } = asked;
  const copilot = textOf(body, "token");
  if (copilot === undefined) return { kind: "revoked" };
  const nowMs = parts.now();
  const endsAtSeconds = numberOf(body, "expires_at");
  const refreshIn = numberOf(body, "refresh_in");
  const api = isJsonObject(body["endpoints"]) ? textOf(body["endpoints"], "api") : undefined;
  const { renewAtMs: _renewAtMs, endsAtMs: _endsAtMs, ...kept } = record;
  return {
    kind: "renewed",
    record: {
      ...kept,
      place: { ...record.place, ...(api !== undefined && isSafeAddress(api) && { api }) },
      tokens: { ...record.tokens, copilot },
      ...(endsAtSeconds !== undefined && { endsAtMs: endsAtSeconds * 1000 }),
      ...(refreshIn !== undefined && { renewAtMs: nowMs + refreshIn * 1000 }),
    },
  };
}

/** The account is right and still may not: that is decided at GitHub, and no other sign-in helps. */
function refused({ status, failure }: Extract<Awaited<ReturnType<typeof askAuthority>>, { readonly ok: false }>) {
  if (status !== 403 && status !== 404) return failure;
  const message = "This GitHub account or OAuth app has no access to Copilot.";
  const recovery = "Check the account's Copilot plan and whether GitHub allows the OAuth app.";
  return { code: "auth_error", message, recovery, retryable: false } as const;
}
