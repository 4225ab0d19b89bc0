/** Finds the model that a name stands for: an id, or a tier of the session's vendor or of any vendor with a credential. */
import { ownMember } from "../catalogue/describe-model.ts";
import type { Catalogue } from "../catalogue/open-catalogue.ts";
import type { ProviderSettings } from "../catalogue/provider-settings.ts";
import { type Credentials, resolveProvider } from "../catalogue/resolve-provider.ts";
import { type Tier, type TierModels, tierOf } from "./tier-names.ts";

export type NameParts = Credentials & {
  readonly providers: ProviderSettings;
  readonly catalogue: Catalogue;
  /** What the user chose for each tier, as `provider/model`. */
  readonly tiers: TierModels;
};

export type NamedModel = {
  /** `provider/model`. */
  readonly ref: string;
  /** How it was found: the name is its id, the user or the session's vendor has the tier, another vendor has, none has. */
  readonly by: "id" | "setting" | "provider" | "credential" | "session";
  readonly tier?: Tier;
};

/** `beside` is the model of the session, as `provider/model`; it is what a name stands for that nobody knows. */
export function nameModel(wanted: string, beside: string, parts: NameParts): NamedModel {
  const name = wanted.trim();
  if (name === "" || name === "inherit" || name === beside) return { ref: beside, by: "id" };
  const own = providerOf(beside);
  const exact = exactModel(name, own, parts);
  if (exact !== undefined) return { ref: exact, by: "id" };
  const tier = tierOf(name);
  if (tier === undefined) return { ref: beside, by: "session" };
  return { ...(findTier(tier, own, parts) ?? { ref: beside, by: "session" }), tier };
}

/** The model of a tier beside a session of this vendor; undefined where no vendor that can be used has one. */
export function findTier(
  tier: Tier,
  provider: string | undefined,
  parts: NameParts,
): Pick<NamedModel, "ref" | "by"> | undefined {
  const chosen = parts.tiers[tier];
  if (chosen !== undefined && isUsable(chosen, parts)) return { ref: chosen, by: "setting" };
  const own = provider === undefined ? undefined : tierAt(provider, tier, parts);
  if (own !== undefined && isUsable(own, parts)) return { ref: own, by: "provider" };
  for (const id of providersWithCredential(parts)) {
    const ref = tierAt(id, tier, parts);
    if (ref !== undefined) return { ref, by: "credential" };
  }
  return undefined;
}

/** One sentence where the model is another one than a reader of the name would expect. */
export function namingNotice(wanted: string, { ref, by, tier }: NamedModel, beside: string): string | undefined {
  if (by !== "credential" && by !== "session") return undefined;
  const remedy =
    tier === undefined ? "Write provider/model, fast, default or slow." : `Set models.${tier} to change it.`;
  const why = by === "session" ? "no model of that name is available" : `${providerOf(beside)} has no ${tier} model`;
  return `"${wanted}" uses ${ref}: ${why}. ${remedy}`;
}

/** An id with its vendor, or one that the session's vendor or another usable one has. */
function exactModel(name: string, own: string, parts: NameParts): string | undefined {
  if (name.includes("/") && isUsable(name, parts)) return name;
  if (hasModel(own, name, parts)) return `${own}/${name}`;
  // A tier name is never an id, and only an id is worth a look at every vendor.
  if (!/\d/.test(name)) return undefined;
  for (const id of providersWithCredential(parts)) if (hasModel(id, name, parts)) return `${id}/${name}`;
  return undefined;
}

function hasModel(provider: string, id: string, { providers, catalogue }: NameParts): boolean {
  const listed = ownMember(providers, provider)?.models;
  return ownMember(listed, id) !== undefined || ownMember(catalogue.provider(provider)?.models, id) !== undefined;
}

function isUsable(ref: string, parts: NameParts): boolean {
  const name = providerOf(ref);
  const setting = ownMember(parts.providers, name);
  const row = parts.catalogue.provider(name);
  if (setting === undefined && row === undefined) return false;
  return resolveProvider({ name, row, setting }, parts).ok;
}

/** Configured vendors first, then the catalogue in its own order. One that wants no key may not even be there. */
function* providersWithCredential(parts: NameParts): Generator<string> {
  const { providers, catalogue } = parts;
  for (const name of new Set([...Object.keys(providers), ...catalogue.ids()])) {
    const resolved = resolveProvider(
      { name, row: catalogue.provider(name), setting: ownMember(providers, name) },
      parts,
    );
    if (!resolved.ok) continue;
    const { reached } = resolved;
    const hasKey = reached.kind === "wire" ? reached.apiKey !== undefined : reached.settings["apiKey"] !== undefined;
    if (hasKey || reached.usesAccount === true) yield name;
  }
}

function tierAt(provider: string, tier: Tier, { catalogue }: NameParts): string | undefined {
  const model = catalogue.provider(provider)?.tiers?.[tier];
  return model === undefined ? undefined : `${provider}/${model}`;
}

function providerOf(ref: string): string {
  return ref.slice(0, Math.max(0, ref.indexOf("/")));
}
