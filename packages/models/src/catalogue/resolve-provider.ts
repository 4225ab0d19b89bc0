/** How a vendor is reached: the user's settings over the catalogue's row, its address filled in and its key found. */
import type { Failure, JsonObject } from "@kedge/protocol";
import type { AiSdkSettings } from "../ai-sdk/ai-sdk-provider.ts";
import { type CatalogueProvider, type WireName, wireNames } from "./catalogue-row.ts";
import { badBaseUrl, missingKey, missingPackage, missingVariable, unknownWire } from "./missing-model.ts";
import { regionOf } from "./model-region.ts";
import type { ProviderSetting } from "./provider-settings.ts";
import { mergeExtras, type RequestExtras } from "./request-extras.ts";

export type Credentials = {
  /** A key that was stored for the provider, or the first of these variables that is set. */
  readonly keyOf?: (provider: string, variables: readonly string[]) => string | undefined;
  /** Whether the user signed in to the provider; asked only where there is no key. */
  readonly hasAccount?: (provider: string) => boolean;
  /** What is no secret: a region, a project, the name of a resource. */
  readonly variable?: (name: string) => string | undefined;
  /** What the user adds to the requests of every provider. */
  readonly extras?: RequestExtras;
};

export type Reached =
  | {
      readonly kind: "wire";
      readonly api: WireName;
      readonly baseUrl: string;
      readonly apiKey?: string;
      readonly headers?: { readonly [name: string]: string };
      readonly body?: JsonObject;
      /** What is sent comes from the account the user signed in with. */
      readonly usesAccount?: true;
    }
  | {
      readonly kind: "package";
      readonly packageName: string;
      readonly factory?: string;
      readonly settings: AiSdkSettings;
      readonly body?: JsonObject;
      readonly usesAccount?: true;
    };

export type Resolved =
  | { readonly ok: true; readonly reached: Reached }
  | { readonly ok: false; readonly failure: Failure };

export type Known = {
  readonly name: string;
  /** The id of the model that is wanted, where it matters: its region may be one of its own. */
  readonly model?: string;
  readonly row: CatalogueProvider | undefined;
  readonly setting: ProviderSetting | undefined;
};

export function resolveProvider(known: Known, credentials: Credentials): Resolved {
  const { name, row, setting } = known;
  const api = apiOf(known);
  if (api === "ai-sdk") return resolvePackage(known, credentials);
  const wire = wireNames.find((each) => each === api);
  if (wire === undefined) return failed(unknownWire(name, api));
  const address = fillAddress(setting?.baseURL ?? row?.baseURL ?? "", credentials);
  if (address.missing !== undefined) return failed(missingVariable(name, address.missing));
  if (!isHttpUrl(address.text)) return failed(badBaseUrl(name));
  const apiKey = setting?.apiKey ?? credentials.keyOf?.(name, row?.keys ?? []);
  // Whoever chose the address himself knows whether it wants a key.
  const needsKey = row !== undefined && row.keyOptional !== true && setting?.baseURL === undefined;
  const usesAccount = apiKey === undefined && credentials.hasAccount?.(name) === true;
  if (apiKey === undefined && !usesAccount && needsKey) return failed(missingKey(name, row.keys));
  const { headers, body } = sentBeside({ row, setting }, credentials);
  return {
    ok: true,
    reached: {
      kind: "wire",
      api: wire,
      baseUrl: address.text,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      ...(usesAccount ? { usesAccount } : {}),
    },
  };
}

/** What the catalogue, the user and the user's setting of the provider add, the last one strongest. */
function sentBeside({ row, setting }: Pick<Known, "row" | "setting">, { extras = {} }: Credentials): RequestExtras {
  const general = mergeExtras(row?.headers === undefined ? {} : { headers: row.headers }, extras);
  return mergeExtras(general, extrasOf(setting));
}

/** What the setting of a provider adds to its requests. */
export function extrasOf(setting: ProviderSetting | undefined): RequestExtras {
  const { headers, body } = setting ?? {};
  return { ...(headers !== undefined && { headers }), ...(body !== undefined && { body }) };
}

/** A package named without an `api` says enough. */
export function apiOf({ row, setting }: Pick<Known, "row" | "setting">): string | undefined {
  return setting?.api ?? (setting?.npm === undefined ? row?.api : "ai-sdk");
}

function resolvePackage({ name, model, row, setting }: Known, credentials: Credentials): Resolved {
  const packageName = setting?.npm ?? row?.package;
  if (packageName === undefined) return failed(missingPackage(name, row?.packageProposed));
  const { apiKey: keyVariables = [], ...variables } = row?.settings ?? {};
  const apiKey = setting?.apiKey ?? credentials.keyOf?.(name, keyVariables);
  const isEnough = apiKey !== undefined || credentials.keyOf?.(name, row?.keys ?? []) !== undefined;
  const usesAccount = !isEnough && credentials.hasAccount?.(name) === true;
  const needsKey = row !== undefined && row.keyOptional !== true && setting?.options === undefined;
  if (needsKey && !isEnough && !usesAccount) return failed(missingKey(name, row.keys));
  const baseURL = setting?.baseURL ?? row?.baseURL;
  const { headers, body } = sentBeside({ row, setting }, credentials);
  return {
    ok: true,
    reached: {
      kind: "package",
      packageName,
      // It belongs to the catalogue's package, not to one that the user chose.
      ...(row?.factory === undefined || setting?.npm !== undefined ? {} : { factory: row.factory }),
      settings: {
        ...regionSetting(row, row?.region),
        ...settingsFrom(variables, credentials),
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(headers === undefined ? {} : { headers }),
        ...setting?.options,
        ...regionSetting(row, model === undefined ? undefined : regionOf(setting, model)),
      },
      ...(body === undefined ? {} : { body }),
      ...(usesAccount ? { usesAccount } : {}),
    },
  };
}

/** Google's packages call it a location. */
function regionSetting(row: CatalogueProvider | undefined, region: string | undefined) {
  if (region === undefined) return {};
  return row?.settings?.["location"] === undefined ? { region } : { location: region };
}

function settingsFrom(
  variables: { readonly [setting: string]: readonly string[] },
  { variable }: Credentials,
): { readonly [name: string]: unknown } {
  const settings: Record<string, unknown> = {};
  for (const [path, names] of Object.entries(variables)) {
    const value = names.map((each) => variable?.(each)).find((each) => each !== undefined && each !== "");
    if (value === undefined) continue;
    const [outer = path, inner] = path.split(".");
    settings[outer] = inner === undefined ? value : { [inner]: value };
  }
  return settings;
}

const slot = /\{(\w+)\}/g;

/** What may stand within an address without changing where it leads. */
const addressPart = /^[\w-]+(?:\.[\w-]+)*$/;

type Address = { readonly text: string; readonly missing?: string };

/** An address that is nothing but a slot takes a whole URL; elsewhere a value may only be a name. */
function fillAddress(text: string, { variable }: Credentials): Address {
  let missing: string | undefined;
  const filled = text.replace(slot, (whole, name: string) => {
    const value = variable?.(name) ?? "";
    const fits = whole === text ? isHttpUrl(value) : addressPart.test(value);
    if (!fits) missing ??= name;
    return value;
  });
  return missing === undefined ? { text: filled } : { text: filled, missing };
}

export function isHttpUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "http:" || protocol === "https:";
}

function failed(failure: Failure): Resolved {
  return { ok: false, failure };
}
