/** Azure OpenAI with an account of Microsoft Entra in place of the resource's key. */
import type { SignInMethod } from "../sign-in-method.ts";
import type { ProviderSignIn } from "../sign-in-settings.ts";
import { oauthMethods } from "./oauth-methods.ts";

export function azureMethods(settings: ProviderSignIn): readonly SignInMethod[] {
  const { clientId, clientSecret, tenant = "organizations", host = "https://login.microsoftonline.com" } = settings;
  const { scopes = ["https://cognitiveservices.azure.com/.default", "offline_access"] } = settings;
  const authority = `${host.replace(/\/+$/, "")}/${encodeURIComponent(tenant)}/oauth2/v2.0`;
  return oauthMethods({
    provider: "azure",
    name: "Microsoft",
    payer: "Requests are billed to the Azure subscription of the resource.",
    flow: {
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      deviceUrl: `${authority}/devicecode`,
      authorizationUrl: `${authority}/authorize`,
      tokenUrl: `${authority}/token`,
      scopes,
    },
    credential: ({ tokens }) => ({ apiKey: tokens["access"] ?? "" }),
  });
}
