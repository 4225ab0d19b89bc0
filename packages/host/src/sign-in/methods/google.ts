/** Google: an account for the Gemini API, whose token we send, or for Vertex AI, whose package renews it by itself. */
import type { AccountRecord } from "../../credentials/account-record.ts";
import type { Renewed, SignInMethod } from "../sign-in-method.ts";
import type { ProviderSignIn } from "../sign-in-settings.ts";
import { type OAuthVendor, oauthMethods } from "./oauth-methods.ts";

export function googleMethods(provider: string, settings: ProviderSignIn): readonly SignInMethod[] {
  const { clientId, clientSecret, host, project } = settings;
  const { scopes = ["https://www.googleapis.com/auth/cloud-platform"] } = settings;
  const site = host?.replace(/\/+$/, "");
  const common = {
    provider,
    name: "Google",
    payer: "Requests are billed to the configured Google Cloud project, or to the project of the OAuth app.",
    flow: {
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      authorizationUrl:
        site === undefined ? "https://accounts.google.com/o/oauth2/v2/auth" : `${site}/o/oauth2/v2/auth`,
      tokenUrl: site === undefined ? "https://oauth2.googleapis.com/token" : `${site}/token`,
      scopes,
      // Without them there is no refresh token after the first time.
      extras: { access_type: "offline", prompt: "consent" },
    },
  } satisfies Partial<OAuthVendor>;
  if (provider === "google") {
    const billed = project === undefined ? {} : { "x-goog-user-project": project };
    return oauthMethods({
      ...common,
      credential: ({ tokens }) => ({ headers: { authorization: `Bearer ${tokens["access"] ?? ""}`, ...billed } }),
    });
  }
  return oauthMethods({
    ...common,
    complete: async (record) => keepRefreshToken(record),
    credential: ({ tokens }) => ({
      settings: {
        ...(project !== undefined && { project }),
        googleAuthOptions: {
          credentials: {
            type: "authorized_user",
            client_id: clientId ?? "",
            client_secret: clientSecret ?? "",
            refresh_token: tokens["refresh"] ?? "",
          },
        },
      },
    }),
  });
}

/** The package asks for access tokens itself, so that nothing of ours ends. */
function keepRefreshToken({ place, tokens: { refresh } }: AccountRecord): Renewed {
  return refresh === undefined ? { kind: "revoked" } : { kind: "renewed", record: { place, tokens: { refresh } } };
}
