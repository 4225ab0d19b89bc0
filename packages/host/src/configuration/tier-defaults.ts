/** Which model each tier has where no settings file names one: that of the catalogue, by the vendors that can be used here. */
import { findTier, openCatalogue, type ProviderSettings, type Tier, tierNames } from "@kedge/models";
import { openCredentials } from "../credentials/credentials.ts";

export type TierDefault = { readonly key: string; readonly value: string; readonly from: string };

export type TierPlace = {
  /** `provider/model`, where one was chosen. */
  readonly model: string | undefined;
  readonly providers: ProviderSettings;
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
};

export function tierDefaults({ model, providers, home, environment }: TierPlace): readonly TierDefault[] {
  const credentials = openCredentials(home, environment);
  const parts = {
    ...{ providers, catalogue: openCatalogue(), tiers: {} },
    keyOf: (provider: string, variables: readonly string[]) => credentials.find(provider, variables)?.key,
    hasAccount: (provider: string) => credentials.account(provider) !== undefined,
    variable: (name: string) => environment[name],
  };
  const own = model?.slice(0, Math.max(0, model.indexOf("/")));
  return tierNames.flatMap((tier: Tier) => {
    const found = findTier(tier, own, parts);
    if (found === undefined) return [];
    const from = found.by === "provider" ? "catalogue" : "catalogue, a provider with a key";
    return [{ key: `models.${tier}`, value: found.ref, from }];
  });
}
