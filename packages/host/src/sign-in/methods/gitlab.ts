/** GitLab, at gitlab.com or a host of one's own. A personal token needs no sign-in: it is stored as a key. */
import type { SignInMethod } from "../sign-in-method.ts";
import type { ProviderSignIn } from "../sign-in-settings.ts";
import { oauthMethods } from "./oauth-methods.ts";

export function gitlabMethods(settings: ProviderSignIn, instanceUrl: string | undefined): readonly SignInMethod[] {
  const { clientId, clientSecret, host = instanceUrl ?? "https://gitlab.com", scopes = ["api"] } = settings;
  const site = host.replace(/\/+$/, "");
  return oauthMethods({
    provider: "gitlab",
    name: "GitLab",
    payer: "Requests count against the GitLab Duo seat of the account and are billed to its owner.",
    flow: {
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      deviceUrl: `${site}/oauth/authorize_device`,
      authorizationUrl: `${site}/oauth/authorize`,
      tokenUrl: `${site}/oauth/token`,
      scopes,
    },
    place: { host: site },
    credential: ({ tokens, place }) => ({
      apiKey: tokens["access"] ?? "",
      settings: { instanceUrl: place["host"] ?? site },
    }),
  });
}
