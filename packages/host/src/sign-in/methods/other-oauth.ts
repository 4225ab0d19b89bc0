/** A vendor that kedge has no sign-in for, as the settings or a plugin describe it. */
import type { SignInMethod } from "../sign-in-method.ts";
import type { ProviderSignIn } from "../sign-in-settings.ts";
import { oauthMethods } from "./oauth-methods.ts";

export function otherMethods(provider: string, settings: ProviderSignIn): readonly SignInMethod[] {
  const { clientId, clientSecret, tokenUrl, authorizationUrl, deviceUrl, scopes = [], notice } = settings;
  if (tokenUrl === undefined) return [];
  return oauthMethods({
    provider,
    name: URL.parse(tokenUrl)?.hostname ?? provider,
    payer: notice ?? "Requests are billed to the owner of the account.",
    flow: {
      clientId,
      tokenUrl,
      scopes,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(authorizationUrl !== undefined && { authorizationUrl }),
      ...(deviceUrl !== undefined && { deviceUrl }),
    },
    credential: ({ tokens }) => ({ apiKey: tokens["access"] ?? "" }),
  });
}
