/** What kedge knows of one model: the catalogue's entry with the user's settings laid over it, field by field. */
import type { Model, ModelCapabilities, Prices, Quirk } from "@kedge/protocol";
import type { Api, CatalogueModel, CatalogueProvider } from "./catalogue-row.ts";
import type { ModelSetting, ProviderSetting } from "./provider-settings.ts";

export type Description = {
  readonly row: CatalogueProvider | undefined;
  readonly setting: ProviderSetting | undefined;
  readonly api: Api;
  /** What a server on this machine says of the context it was started with. */
  readonly contextTokensFound?: number;
  readonly toolReferences?: ToolReferenceChoice;
};

/** Where results may refer to tools by name; by default at the vendor's own address, as the catalogue says. */
export type ToolReferenceChoice = {
  readonly isOff: boolean;
  /** Also where another server stands in for the vendor, as far as the wire has words for it. */
  readonly atAnyAddress: boolean;
  /** Parts of model ids. */
  readonly exceptModels: readonly string[];
};

/** They read schemas only, as far as is known. */
export const modelsWithoutReferences: readonly string[] = ["haiku"];

/** Safe for a model of which nothing is known. */
const contextTokensAssumed = 32_000;
const outputTokensAssumed = 4_096;

/** What is sent when nobody chose: the first family that the model's id or family names. */
const familyTemperatures: readonly { readonly family: string; readonly temperature: number }[] = [
  { family: "qwen", temperature: 0.55 },
  { family: "gemini", temperature: 1 },
  { family: "kimi-k2", temperature: 0.6 },
];

export function describeModel(named: Pick<Model, "ref" | "provider" | "id">, description: Description): Model {
  const { row, setting, api, contextTokensFound } = description;
  const chosen = ownMember(setting?.models, named.id) ?? {};
  const listed = ownMember(row?.models, named.id);
  const entry: CatalogueModel = { ...row?.defaults, ...listed };
  const output = chosen.output ?? entry.output;
  const context = chosen.context ?? contextTokensFound ?? contextOf(entry);
  const contextTokens = context ?? contextTokensAssumed;
  const prices = mergePrices(entry.cost, chosen.cost);
  const name = chosen.name ?? entry.name;
  const isReferring = readsReferences(named.id, entry, description);
  const capabilities = { ...capabilitiesOf(entry, chosen, api), ...(isReferring && { toolReferences: true }) };
  const isDescribed = row !== undefined || hasCapabilities(chosen) || isReferring;
  const temperature = temperatureOf(named.id, entry, chosen);
  const quirks = [...new Set<Quirk>([...(row?.quirks ?? []), ...(setting?.quirks ?? [])])];
  return {
    ...named,
    contextTokens,
    // An answer as long as the window would leave no room for the question.
    outputTokensMax: output ?? Math.min(outputTokensAssumed, contextTokens),
    ...(entry.toolsMax === undefined ? {} : { toolsMax: entry.toolsMax }),
    ...(prices === undefined ? {} : { prices }),
    ...(name === undefined ? {} : { name }),
    ...(isDescribed ? { capabilities } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(quirks.length === 0 ? {} : { quirks }),
    ...(context === undefined || output === undefined ? { assumed: true } : {}),
  };
}

/** Where a request may hold less than the window, the rest of the window is of use to the answer only. */
function contextOf({ context, input, output }: CatalogueModel): number | undefined {
  return context === undefined || input === undefined || output === undefined
    ? context
    : Math.min(context, input + output);
}

export function ownMember<Member>(
  members: { readonly [name: string]: Member } | undefined,
  name: string,
): Member | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

function hasCapabilities({ reasoning, images, documents }: ModelSetting): boolean {
  return reasoning !== undefined || images !== undefined || documents !== undefined;
}

function capabilitiesOf(entry: CatalogueModel, chosen: ModelSetting, api: Api): ModelCapabilities {
  const images = chosen.images ?? entry.images ?? false;
  const documents = chosen.documents ?? entry.documents ?? false;
  const takesMediaInResults = entry.mediaInToolResults ?? (api !== "openai-chat" && api !== "ai-sdk");
  return {
    tools: entry.tools ?? true,
    reasoning: chosen.reasoning ?? entry.reasoning ?? "none",
    images,
    documents,
    mediaInToolResults: takesMediaInResults && (images || documents),
    temperature: entry.temperature ?? true,
    cacheMarks: entry.cacheMarks ?? api === "anthropic",
    webSearch: entry.webSearch ?? false,
    ...(entry.forcedToolChoice === false && { forcedToolChoice: false }),
  };
}

/** Servers that stand in for a vendor may reject what they do not know, so somebody must ask for it there. */
function readsReferences(id: string, entry: CatalogueModel, { setting, api, toolReferences }: Description): boolean {
  const { isOff = false, atAnyAddress = false, exceptModels = modelsWithoutReferences } = toolReferences ?? {};
  if (isOff || api !== "anthropic" || exceptModels.some((part) => id.includes(part))) return false;
  return atAnyAddress || (entry.toolReferences === true && setting?.baseURL === undefined);
}

/** Undefined as long as the price of input or of output is known to nobody. */
function mergePrices(stated: Prices | undefined, chosen: ModelSetting["cost"]): Prices | undefined {
  if (chosen === undefined) return stated;
  const input = chosen.input ?? stated?.input;
  const output = chosen.output ?? stated?.output;
  if (input === undefined || output === undefined) return undefined;
  // Whoever states the price of input knows of no other one for long requests.
  const { above, ...flat } = stated ?? { input, output };
  return { ...flat, ...chosen, input, output, ...(above === undefined || chosen.input !== undefined ? {} : { above }) };
}

function temperatureOf(id: string, entry: CatalogueModel, chosen: ModelSetting): number | undefined {
  if (chosen.temperature !== undefined) return chosen.temperature;
  if (entry.temperature === false) return undefined;
  const names = `${id} ${entry.family ?? ""}`.toLowerCase();
  return familyTemperatures.find(({ family }) => names.includes(family))?.temperature;
}
