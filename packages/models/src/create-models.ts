/** The models a user can choose: finds one by `provider/model` and makes its provider on first use. */
import { type FoundModel, type Models, nearNames, type Provider, similarity } from "@kedge/protocol";
import type { Api, CatalogueProvider } from "./catalogue/catalogue-row.ts";
import { describeModel, ownMember, type ToolReferenceChoice } from "./catalogue/describe-model.ts";
import { notAReference, unknownModel, unknownProvider } from "./catalogue/missing-model.ts";
import { regionOf } from "./catalogue/model-region.ts";
import { type Catalogue, openCatalogue } from "./catalogue/open-catalogue.ts";
import type { ProviderSetting, ProviderSettings } from "./catalogue/provider-settings.ts";
import { mergeExtras } from "./catalogue/request-extras.ts";
import { type Credentials, extrasOf, type Reached, resolveProvider } from "./catalogue/resolve-provider.ts";
import { costOf } from "./cost.ts";
import { type ContextSizes, createContextSizes } from "./local-servers/context-sizes.ts";
import { makeProvider, type ProviderOptions } from "./make-provider.ts";
import { nameModel, namingNotice } from "./tiers/name-model.ts";
import type { TierModels } from "./tiers/tier-names.ts";

export type ModelsOptions = Credentials &
  ProviderOptions & {
    readonly catalogue?: Catalogue;
    readonly toolReferences?: ToolReferenceChoice;
    /** What the user chose for each tier. */
    readonly tiers?: TierModels;
    /** Told once of each name that stands for another model than one would expect. */
    readonly onNamed?: (sentence: string) => void;
  };

type MadeProvider = { readonly ok: true; readonly reached: Reached; readonly provider: Provider };

export type OpenModels = Models & {
  /** Its key changed: whoever asks for it from now on gets a provider with the new one. */
  forget(provider: string): void;
};

export function createModels(settings: ProviderSettings, options: ModelsOptions = {}): OpenModels {
  const { catalogue = openCatalogue(), toolReferences, tiers = {}, onNamed } = options;
  const made = new Map<string, Map<string, MadeProvider>>();
  const contextSizes = createContextSizes();

  const told = new Set<string>();
  const named = (wanted: string, beside: string): string => {
    const found = nameModel(wanted, beside, { ...options, providers: settings, catalogue, tiers });
    const notice = namingNotice(wanted, found, beside);
    if (notice !== undefined && !told.has(notice)) onNamed?.(notice);
    if (notice !== undefined) told.add(notice);
    return found.ref;
  };

  return {
    async find(wanted, beside): Promise<FoundModel> {
      const ref = beside === undefined ? wanted : named(wanted, beside);
      const slash = ref.indexOf("/");
      if (slash <= 0 || slash === ref.length - 1) return { ok: false, failure: notAReference(ref) };
      const name = ref.slice(0, slash);
      const id = ref.slice(slash + 1);
      const setting = ownMember(settings, name);
      const onlyShipped = setting?.api !== undefined && setting.baseURL !== undefined;
      const row = catalogue.provider(name, { onlyShipped });
      if (setting === undefined && row === undefined) {
        const names = { configured: Object.keys(settings), shipped: catalogue.ids() };
        return { ok: false, failure: unknownProvider(name, names) };
      }
      // A client speaks to one region.
      const clients = made.get(name) ?? new Map<string, MadeProvider>();
      const region = regionOf(setting, id) ?? "";
      const before = clients.get(region);
      const resolved = before ?? resolveProvider({ name, model: id, row, setting }, options);
      if (!resolved.ok) return resolved;
      const { reached } = resolved;
      const misspelt = findMisspelling(id, row, setting);
      if (misspelt !== undefined) return { ok: false, failure: unknownModel(name, id, misspelt) };
      // Whoever stands in for the vendor at another address must be said to do this as well.
      const compaction = setting?.compaction ?? (row?.compaction === true && setting?.baseURL === undefined);
      const isUserHost = setting?.baseURL !== undefined;
      const extras = mergeExtras(options.extras ?? {}, extrasOf(setting));
      const kept = { keyName: row?.keys[0], cacheTtl: setting?.cacheTtl, compaction };
      const vendor = { name, reached, isUserHost, extras, ...kept };
      const provider = before?.provider ?? (await makeProvider(vendor, options));
      made.set(name, clients.set(region, { ok: true, reached, provider }));
      const api: Api = reached.kind === "wire" ? reached.api : "ai-sdk";
      const contextTokensFound = await findContext(contextSizes, { id, row, setting, reached });
      const found = contextTokensFound === undefined ? {} : { contextTokensFound };
      const model = describeModel(
        { ref, provider: name, id },
        { row, setting, api, ...found, ...(toolReferences !== undefined && { toolReferences }) },
      );
      return { ok: true, model, provider };
    },
    cost: costOf,
    forget: (provider) => made.delete(provider),
  };
}

/** So alike that nothing but a slip of the fingers explains the difference. */
const slipSimilarityMin = 0.75;

/**
 * The names that were probably meant; undefined when the id may be right. A list of the user's own is taken at its
 * word. A vendor brings out models that no list has yet, and their names differ from older ones in their digits.
 */
function findMisspelling(
  id: string,
  row: CatalogueProvider | undefined,
  setting: ProviderSetting | undefined,
): readonly string[] | undefined {
  if (ownMember(setting?.models, id) !== undefined || ownMember(row?.models, id) !== undefined) return undefined;
  const known = [...new Set([...Object.keys(setting?.models ?? {}), ...Object.keys(row?.models ?? {})])];
  if (setting?.models !== undefined) return known;
  if (row?.complete !== true) return undefined;
  const nearest = nearNames(id, known, { countMax: 1 })[0];
  if (nearest === undefined || similarity(id, nearest) < slipSimilarityMin) return undefined;
  return digitsOf(id) === digitsOf(nearest) ? known : undefined;
}

function digitsOf(id: string): string {
  return id.replaceAll(/\D+/g, " ").trim();
}

type Asked = {
  readonly id: string;
  readonly row: CatalogueProvider | undefined;
  readonly setting: ProviderSetting | undefined;
  readonly reached: Reached;
};

/** A server on this machine is asked, because it alone knows with how much context it was started. */
function findContext(
  sizes: ContextSizes,
  { id, row, setting, reached }: Asked,
): Promise<number | undefined> | undefined {
  if (row?.local === undefined || reached.kind !== "wire") return undefined;
  if (ownMember(setting?.models, id)?.context !== undefined) return undefined;
  return sizes({ server: row.local.server, baseUrl: reached.baseUrl, model: id });
}
