/** Says where the key for a model comes from, for a person who asks who pays. */
import type { Catalogue, ProviderSettings } from "@kedge/models";
import type { Credentials } from "./credentials.ts";

export type KeySourceOptions = {
  readonly providers: ProviderSettings;
  readonly credentials: Pick<Credentials, "find" | "account">;
  readonly catalogue: Pick<Catalogue, "provider">;
};

/** Asked with `provider/model`; the answer never holds the key. */
export function createKeySource({ providers, credentials, catalogue }: KeySourceOptions): (model: string) => string {
  return (model) => {
    const provider = model.slice(0, Math.max(0, model.indexOf("/")));
    const setting = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
    if (setting?.apiKey !== undefined) return "your settings";
    const found = credentials.find(provider, catalogue.provider(provider)?.keys ?? []);
    if (found === undefined)
      return credentials.account(provider) === undefined ? "none" : "the account you signed in with";
    switch (found.source) {
      case "environment":
        return found.variable ?? "the environment";
      case "file":
        return "kedge auth login, in a file only you can read";
      case "keyring":
        return "kedge auth login, in the system keyring";
    }
  };
}
