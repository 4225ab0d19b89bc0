/** Turns a list of vendors in the form of models.dev into lines of the catalogue; what does not fit is skipped and counted. */
import { isJsonObject, type Prices, type ReasoningControl } from "@kedge/protocol";
import { type Api, type CatalogueModel, type CatalogueProvider, withoutUndefined } from "./catalogue-row.ts";
import { isAmount } from "./read-prices.ts";

export type Imported = {
  /** The whole catalogue, its first line included. */
  readonly text: string;
  readonly providers: number;
  readonly models: number;
  /** Vendors and models that were not understood. */
  readonly skipped: number;
};

type Json = { readonly [name: string]: unknown };

const providersMax = 1_000;
const modelsPerProviderMax = 3_000;
const nameCharactersMax = 100;

/** Ids go into requests, paths and onto the screen. */
const goodId = /^[\x21-\x7e]{1,200}$/;
const goodProviderId = /^[a-z0-9][\w.-]{0,63}$/i;
const goodVariable = /^\w{1,100}$/;
const secretVariable = /(?:KEY|TOKEN|SECRET|PAT)$/i;
const goodPackage = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/[\w.-]+)?$/i;
const slot = /\$?\{(\w+)\}/g;

/** Packages whose wire kedge speaks itself, and where the vendor is when the list does not say it. */
const ownWires: { readonly [npm: string]: { readonly api: Api; readonly baseURL?: string } } = {
  "@ai-sdk/openai-compatible": { api: "openai-chat" },
  "@ai-sdk/openai": { api: "openai-responses", baseURL: "https://api.openai.com/v1" },
  "@ai-sdk/anthropic": { api: "anthropic", baseURL: "https://api.anthropic.com/v1" },
  "@ai-sdk/google": { api: "google", baseURL: "https://generativelanguage.googleapis.com/v1beta" },
};

/** `date` tells how old the list is. Undefined when it is no such list at all. */
export function importModelsDev(list: unknown, date: string): Imported | undefined {
  if (!isJsonObject(list)) return undefined;
  const lines = [JSON.stringify({ format: 1, date })];
  let models = 0;
  let skipped = 0;
  for (const [id, value] of Object.entries(list)) {
    const vendor = lines.length <= providersMax && isJsonObject(value) ? readVendor(id, value) : undefined;
    if (vendor === undefined) {
      skipped++;
      continue;
    }
    lines.push(JSON.stringify(vendor.row));
    models += Object.keys(vendor.row.models).length;
    skipped += vendor.skipped;
  }
  return { text: `${lines.join("\n")}\n`, providers: lines.length - 1, models, skipped };
}

type Vendor = { readonly row: CatalogueProvider; readonly skipped: number };

function readVendor(id: string, value: Json): Vendor | undefined {
  if (!goodProviderId.test(id) || !isJsonObject(value["models"])) return undefined;
  const reached = readReached(value);
  if (reached === undefined) return undefined;
  const models: Record<string, CatalogueModel> = {};
  let skipped = 0;
  for (const [modelId, model] of Object.entries(value["models"]).slice(0, modelsPerProviderMax)) {
    const read = goodId.test(modelId) && isJsonObject(model) ? readModelsDevModel(model) : undefined;
    if (read === undefined) skipped++;
    else models[modelId] = read;
  }
  // The order matters: a line is found by its id at its beginning.
  const row = { id, name: textOf(value["name"]) ?? id, ...reached, complete: true, models } as const;
  return { row, skipped };
}

type ReachedBy = Pick<CatalogueProvider, "api" | "package" | "baseURL" | "keys">;

function readReached(value: Json): ReachedBy | undefined {
  const npm = typeof value["npm"] === "string" ? value["npm"] : "";
  if (!goodPackage.test(npm)) return undefined;
  const own = Object.hasOwn(ownWires, npm) ? ownWires[npm] : undefined;
  const stated = value["api"];
  const baseURL = typeof stated === "string" ? stated.trim().replaceAll(slot, "{$1}") : own?.baseURL;
  if (baseURL !== undefined && !isWebAddress(baseURL)) return undefined;
  const keys = keysOf(value["env"], baseURL ?? "");
  const address = baseURL === undefined ? {} : { baseURL };
  if (own === undefined) return { api: "ai-sdk", package: npm, ...address, keys };
  return baseURL === undefined ? undefined : { api: own.api, baseURL, keys };
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text.replaceAll(slot, "x"));
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "http:" || url.protocol === "https:";
}

/** Those that fill the address are no keys, and neither are names of regions and resources beside a real key. */
function keysOf(value: unknown, baseURL: string): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  const variables = names.filter(
    (name): name is string => typeof name === "string" && goodVariable.test(name) && !baseURL.includes(`{${name}}`),
  );
  const secrets = variables.filter((name) => secretVariable.test(name));
  return secrets.length > 0 ? secrets : variables;
}

/** Undefined for a model that does not write text. */
function readModelsDevModel(value: Json): CatalogueModel | undefined {
  const limit = isJsonObject(value["limit"]) ? value["limit"] : {};
  const modalities = isJsonObject(value["modalities"]) ? value["modalities"] : {};
  const input = textsOf(modalities["input"]);
  if (modalities["output"] !== undefined && !textsOf(modalities["output"]).includes("text")) return undefined;
  return withoutUndefined({
    name: textOf(value["name"]),
    family: textOf(value["family"]),
    context: tokensOf(limit["context"]),
    input: tokensOf(limit["input"]),
    output: tokensOf(limit["output"]),
    cost: readCost(value["cost"]),
    tools: flagOf(value["tool_call"]),
    reasoning: readReasoning(value),
    images: modalities["input"] === undefined ? undefined : input.includes("image"),
    documents: modalities["input"] === undefined ? undefined : input.includes("pdf"),
    temperature: flagOf(value["temperature"]),
    released: textOf(value["release_date"]),
    status: textOf(value["status"]),
  });
}

/** A list that only says that a model thinks does not say how it is told to; what is known already stands. */
function readReasoning(value: Json): ReasoningControl | undefined {
  if (value["reasoning"] === false) return "none";
  const options: readonly unknown[] = Array.isArray(value["reasoning_options"]) ? value["reasoning_options"] : [];
  const types = options.map((option) => (isJsonObject(option) ? option["type"] : undefined));
  if (types.includes("effort")) return "effort";
  return types.includes("budget_tokens") ? "budget" : undefined;
}

function readCost(value: unknown): Prices | undefined {
  const flat = readFlatCost(value);
  if (flat === undefined || !isJsonObject(value)) return flat;
  const tiers: readonly unknown[] = Array.isArray(value["tiers"]) ? value["tiers"] : [];
  const tier = tiers.find(isJsonObject);
  const size = isJsonObject(tier?.["tier"]) ? tier["tier"]["size"] : undefined;
  const [inputTokens, higher] =
    typeof size === "number" ? [size, tier] : [200_000, value["context_over_200k"] as unknown];
  const prices = readFlatCost(higher);
  return prices === undefined || inputTokens <= 0 ? flat : { ...flat, above: { inputTokens, prices } };
}

function readFlatCost(value: unknown): Omit<Prices, "above"> | undefined {
  if (!isJsonObject(value) || !isAmount(value["input"]) || !isAmount(value["output"])) return undefined;
  const amount = (name: string) => (isAmount(value[name]) ? value[name] : undefined);
  return withoutUndefined({
    input: value["input"],
    output: value["output"],
    cacheRead: amount("cache_read"),
    cacheWrite: amount("cache_write"),
    reasoning: amount("reasoning"),
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll(/\p{C}/gu, "").trim().slice(0, nameCharactersMax);
  return text === "" ? undefined : text;
}

function textsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function flagOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
