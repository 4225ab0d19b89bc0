/** The provider packages kedge knows by name, and the version of each that it was tried with. */

export type KnownPackage = { readonly provider: string; readonly packageName: string; readonly version: string };

/** What all of them want beside themselves. */
export const peerPackages: readonly string[] = ["zod@4.6.7"];

export const knownPackages: readonly KnownPackage[] = [
  { provider: "amazon-bedrock", packageName: "@ai-sdk/amazon-bedrock", version: "5.0.101" },
  { provider: "azure", packageName: "@ai-sdk/azure", version: "4.0.85" },
  { provider: "cohere", packageName: "@ai-sdk/cohere", version: "4.0.52" },
  { provider: "gateway", packageName: "@ai-sdk/gateway", version: "4.0.142" },
  { provider: "gitlab", packageName: "gitlab-ai-provider", version: "6.15.0" },
  { provider: "google-vertex", packageName: "@ai-sdk/google-vertex", version: "5.0.98" },
  { provider: "google-vertex-anthropic", packageName: "@ai-sdk/google-vertex", version: "5.0.98" },
  { provider: "groq", packageName: "@ai-sdk/groq", version: "4.0.81" },
  { provider: "mistral", packageName: "@ai-sdk/mistral", version: "4.0.81" },
  { provider: "openai-compatible", packageName: "@ai-sdk/openai-compatible", version: "3.0.90" },
  { provider: "openrouter", packageName: "@openrouter/ai-sdk-provider", version: "3.1.0" },
  { provider: "xai", packageName: "@ai-sdk/xai", version: "5.0.12" },
];

const nameCharactersMax = 214;
const namePattern = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;

/** By the rule of the registry, which leaves no room for a path. */
export function isPackageName(text: string): boolean {
  return text.length <= nameCharactersMax && namePattern.test(text);
}
