/** From the merged setting `provider`, whose parts were checked file by file, to complete providers. */
import type { ProviderSetting, ProviderSettings } from "@kedge/models";
import { problem, type SettingProblem } from "./checks.ts";
import { wireProtocols } from "./known-settings.ts";

export type ReadProviders =
  | { readonly ok: true; readonly providers: ProviderSettings }
  | { readonly ok: false; readonly problem: SettingProblem };

/** Only what may be missing is left to check: one file may name a provider that another completes. */
export function readProviders(setting: unknown): ReadProviders {
  // The type of every part that is present was checked against `knownSettings`; nulls were removed by merging.
  const partial = (setting ?? {}) as { readonly [id: string]: Partial<ProviderSetting> };
  const providers: Record<string, ProviderSetting> = {};
  for (const [id, { api, baseURL, ...rest }] of Object.entries(partial)) {
    const path = `provider.${id}`;
    if (api === undefined) {
      return { ok: false, problem: problem(`${path}.api`, `one of ${wireProtocols.join(", ")}`, undefined) };
    }
    if (baseURL === undefined) return { ok: false, problem: problem(`${path}.baseURL`, "a URL", undefined) };
    for (const [model, { cost }] of Object.entries(rest.models ?? {})) {
      const missing =
        cost === undefined ? undefined : (["input", "output"] as const).find((each) => cost[each] === undefined);
      if (missing !== undefined) {
        const at = `${path}.models.${model}.cost.${missing}`;
        return { ok: false, problem: problem(at, "a number not below 0", undefined) };
      }
    }
    providers[id] = { ...rest, api, baseURL };
  }
  return { ok: true, providers };
}
