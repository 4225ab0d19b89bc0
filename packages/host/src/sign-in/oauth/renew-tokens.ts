/** Another access token for a refresh token, as OAuth 2 has it. */
import type { AccountRecord } from "../../credentials/account-record.ts";
import { askAuthority } from "../ask-authority.ts";
import type { Renewed, SignInParts } from "../sign-in-method.ts";
import { clientOf, type OAuthFlow, recordOf } from "./oauth-flow.ts";

/** What a vendor says of a refresh token that nothing can be had for any more. */
const revokedErrors: ReadonlySet<string> = new Set([
  "invalid_grant",
  "bad_refresh_token",
  "expired_token",
  "interaction_required",
]);

export async function renewTokens(
  record: AccountRecord,
  flow: OAuthFlow,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Renewed> {
  const { refresh } = record.tokens;
  if (refresh === undefined) return { kind: "revoked" };
  const form = { ...clientOf(flow), grant_type: "refresh_token", refresh_token: refresh };
  const asked = await askAuthority({ url: flow.tokenUrl, form }, parts, signal);
  if (!asked.ok) {
    if (revokedErrors.has(asked.error ?? "")) return { kind: "revoked" };
    return { kind: "failed", failure: asked.failure };
  }
  const renewed = recordOf(asked.body, parts.now(), record);
  return renewed === undefined ? { kind: "revoked" } : { kind: "renewed", record: renewed };
}
