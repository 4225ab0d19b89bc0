/** What a flow of OAuth 2 is told, as data: a sign-in of ours, of the settings or of a plugin. */
import type { AccountRecord } from "../../credentials/account-record.ts";
import { type AuthorityBody, numberOf, textOf } from "../ask-authority.ts";

export type OAuthFlow = {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly tokenUrl: string;
  readonly authorizationUrl?: string;
  readonly deviceUrl?: string;
  readonly scopes: readonly string[];
  /** What this vendor wants to read in the address of its page, beside the standard. */
  readonly extras?: { readonly [name: string]: string };
};

/** The client's part of every form. */
export function clientOf({ clientId, clientSecret }: OAuthFlow): { readonly [name: string]: string } {
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
}

/** Renewed so long before the end, or in the middle of a shorter life. */
const renewAheadMs = 5 * 60_000;

export function lifeOf(seconds: number | undefined, nowMs: number): Pick<AccountRecord, "renewAtMs" | "endsAtMs"> {
  if (seconds === undefined || seconds <= 0) return {};
  const lifeMs = seconds * 1000;
  return { renewAtMs: nowMs + Math.max(lifeMs / 2, lifeMs - renewAheadMs), endsAtMs: nowMs + lifeMs };
}

/** Undefined when the answer has no token. A refresh token that is not sent again stays the one it was. */
export function recordOf(
  body: AuthorityBody,
  nowMs: number,
  before: AccountRecord = { place: {}, tokens: {} },
): AccountRecord | undefined {
  const access = textOf(body, "access_token");
  if (access === undefined) return undefined;
  const refresh = textOf(body, "refresh_token") ?? before.tokens["refresh"];
  return {
    place: before.place,
    tokens: { access, ...(refresh !== undefined && { refresh }) },
    ...lifeOf(numberOf(body, "expires_in"), nowMs),
  };
}
