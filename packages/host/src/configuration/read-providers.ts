/** From the merged setting `provider`, whose parts were checked file by file, to providers that can be looked up. */
import { apis, isShipped, type ProviderSetting, type ProviderSettings } from "@kedge/models";
import { problem, type SettingProblem } from "./checks.ts";

export type ReadProviders =
  | { readonly ok: true; readonly providers: ProviderSettings }
  | { readonly ok: false; readonly problem: SettingProblem };

/**
 * Only what may be missing is left to check: one file may name a provider that another completes, and the catalogue
 * completes those it knows. `isKnown` tells whether it does; it is asked only where something is missing.
 */
export function readProviders(setting: unknown, isKnown: (id: string) => boolean = isShipped): ReadProviders {
  // The type of every part that is present was checked against `knownSettings`; nulls were removed by merging.
  const providers = (setting ?? {}) as ProviderSettings;
  for (const [id, provider] of Object.entries(providers)) {
    const missing = findMissing(provider);
    if (missing !== undefined && !isKnown(id)) {
      return { ok: false, problem: problem(`provider.${id}.${missing.path}`, missing.expected, undefined) };
    }
  }
  return { ok: true, providers };
}

type Missing = { readonly path: string; readonly expected: string };

function findMissing({ api, baseURL, npm, models }: ProviderSetting): Missing | undefined {
  const isPackage = api === "ai-sdk" || (api === undefined && npm !== undefined);
  if (isPackage && npm === undefined) return { path: "npm", expected: "the name of a package" };
  if (!isPackage && api === undefined) return { path: "api", expected: `one of ${apis.join(", ")}` };
  if (!isPackage && baseURL === undefined) return { path: "baseURL", expected: "a URL" };
  for (const [model, { cost }] of Object.entries(models ?? {})) {
    const absent =
      cost === undefined ? undefined : (["input", "output"] as const).find((each) => cost[each] === undefined);
    if (absent !== undefined) return { path: `models.${model}.cost.${absent}`, expected: "a number, 0 or greater" };
  }
  return undefined;
}
