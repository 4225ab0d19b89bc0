/** Takes the hooks that hold for this process from all files, once. What runs later is what was captured here. */
import type { HookScope, HookSource } from "@kedge/extend/hooks";
import type { Settings } from "../configuration/setting-file.ts";
import type { ConfigurationSources, Layer } from "../configuration/setting-layers.ts";
import { type LeftHooks, readPlacedHooks } from "./hook-places.ts";

export type CapturedHooks = {
  readonly sources: readonly HookSource[];
  /** The only addresses that may be asked; all without it. */
  readonly allowedUrls?: readonly string[];
  readonly warnings: readonly string[];
  /** Those that were found and do not count; absent where all do. */
  readonly left?: readonly LeftHooks[];
  /** Why hooks of skills do not run; absent where they do. */
  readonly skillHooksOff?: string;
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
  const isManagedOnly = policy?.["allowManagedHooksOnly"] === true;
  const isOff = settings["disableAllHooks"] === true;
  const off = sources.isHeldBack
    ? "the project is not trusted"
    : isManagedOnly
      ? "the managed policy allows its own hooks only"
      : isOff
        ? "disableAllHooks is set"
        : undefined;
  const ofSkills = off === undefined ? {} : { skillHooksOff: off };
  const offElsewhere = placed.left.length > 0 ? { left: placed.left } : {};
  if (all.length === 0) return { ...nothing, ...ofSkills, ...offElsewhere, warnings: placed.warnings };
  if (sources.isHeldBack) {
    const count = all.filter(({ scope }) => scope !== "project" && scope !== "local").length;
    const left = all.map(({ file, scope }) => ({ file, scope, why: "the project is not trusted" }));
    const warnings = count === 0 ? [] : ["hooks do not run: the project is not trusted"];
    return { ...nothing, ...ofSkills, warnings, left };
  }
  const allowedUrls = settings["allowedHttpHookUrls"];
  const whyNot = ({ scope }: HookSource): string | undefined => {
    if (scope === "managed")
      return policy?.["disableAllHooks"] === true ? "the managed policy disables all hooks" : undefined;
    return off ?? (scope === "user" || sources.isTrusted ? undefined : "the project is not trusted");
  };
  const notCounted = all.flatMap((source) => {
    const why = whyNot(source);
    return why === undefined ? [] : [{ file: source.file, scope: source.scope, why }];
  });
  const left = [...placed.left, ...notCounted];
  return {
    sources: structuredClone(all.filter((source) => whyNot(source) === undefined)),
    ...(left.length > 0 && { left }),
    ...ofSkills,
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
