/** Which sign-ins a provider has. Those of consumer subscriptions whose terms forbid other programs are left out on purpose. */
import { awsMethods } from "./methods/aws.ts";
import { azureMethods } from "./methods/azure.ts";
import { copilotMethods } from "./methods/github-copilot.ts";
import { gitlabMethods } from "./methods/gitlab.ts";
import { googleMethods } from "./methods/google.ts";
import { otherMethods } from "./methods/other-oauth.ts";
import type { SignInMethod, SignInParts } from "./sign-in-method.ts";
import { isSignInAllowed, type SignInSettings } from "./sign-in-settings.ts";

/** None where the policy or the user forbids them; see `whyForbidden`. */
export function signInMethods(
  provider: string,
  settings: SignInSettings,
  { environment }: Pick<SignInParts, "environment">,
): readonly SignInMethod[] {
  if (!isSignInAllowed(settings, provider)) return [];
  const given = Object.hasOwn(settings.providers, provider) ? (settings.providers[provider] ?? {}) : {};
  switch (provider) {
    case "github-copilot":
      return copilotMethods(given);
    case "gitlab":
      return gitlabMethods(given, environment["GITLAB_INSTANCE_URL"]);
    case "google":
    case "google-vertex":
    case "google-vertex-anthropic":
      return googleMethods(provider, given);
    case "amazon-bedrock":
      return awsMethods(given);
    case "azure":
      return azureMethods(given);
    default:
      return otherMethods(provider, given);
  }
}

export function whyForbidden(provider: string): string {
  return `Signing in to ${provider} with an account is not allowed: the setting signIn.allowed or your organization's policy disables it.`;
}
