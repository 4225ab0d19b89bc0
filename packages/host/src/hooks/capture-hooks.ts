/** Takes the hooks that hold for this process from all files, once. What runs later is what was captured here. */
import type { HookScope, HookSource } from "@kedge/extend/hooks";
import type { Settings } from "../configuration/setting-file.ts";
import type { ConfigurationSources, Layer } from "../configuration/setting-layers.ts";
import { readPlacedHooks } from "./hook-places.ts";

export type CapturedHooks = {
  readonly sources: readonly HookSource[];
  /** The only addresses that may be asked; all without it. */
  readonly allowedUrls?: readonly string[];
  readonly warnings: readonly string[];
};

export type HookLayers = {
  readonly readings: readonly { readonly layer: Layer; readonly accepted: Settings }[];
  /** Of the managed policy alone. */
  readonly policy: Settings | undefined;
  readonly settings: Settings;
  readonly isDisabled: (source: string) => boolean;
  /** Of enabled plugins. */
  readonly plugins: readonly HookSource[];
};

const nothing: CapturedHooks = { sources: [], warnings: [] };

/** A project's own count only where it is trusted; where it brings what nobody trusted, no hook runs at all. */
export async function captureHooks(layers: HookLayers, sources: ConfigurationSources): Promise<CapturedHooks> {
  const { readings, policy, settings, isDisabled, plugins } = layers;
  const own = readings.flatMap(({ layer, accepted }): readonly HookSource[] => {
    const { hooks } = accepted;
    if (hooks === undefined || hooks === null) return [];
    return [{ dialect: "kedge", scope: scopeOf(layer.source), file: layer.name, hooks }];
  });
  const placed = await readPlacedHooks(sources, isDisabled);
  const all = [...own, ...placed.sources, ...plugins];
  if (all.length === 0) return { ...nothing, warnings: placed.warnings };
  if (sources.isHeldBack) {
    const count = all.filter(({ scope }) => scope !== "project" && scope !== "local").length;
    return count === 0 ? nothing : { ...nothing, warnings: ["no hook runs here, because the project is not trusted"] };
  }
  const isManagedOnly = policy?.["allowManagedHooksOnly"] === true;
  const isOff = settings["disableAllHooks"] === true;
  const allowedUrls = settings["allowedHttpHookUrls"];
  const counting = all.filter(({ scope }) => {
    if (scope === "managed") return policy?.["disableAllHooks"] !== true;
    if (isManagedOnly || isOff) return false;
    return scope === "user" || sources.isTrusted;
  });
  return {
    sources: structuredClone(counting),
    // Checked when its file was read.
    ...(Array.isArray(allowedUrls) && { allowedUrls: allowedUrls as readonly string[] }),
    warnings: placed.warnings,
  };
}

/** A file that was named for this start is the user's word. */
function scopeOf(source: Layer["source"]): HookScope {
  switch (source) {
    case "policy":
      return "managed";
    case "project":
    case "local":
      return source;
    default:
      return "user";
  }
}
