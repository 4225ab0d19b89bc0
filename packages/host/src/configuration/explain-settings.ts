/** Says of every setting what each layer gives it, which layer wins, and what is ignored and why. Secrets stay hidden. */
import type { ProviderSettings } from "@kedge/models";
import { type ConfigLayer, isJsonObject, type Json, type RuleSource } from "@kedge/protocol";
import { readVariable, variableSettings } from "./environment-settings.ts";
import type { ForeignReading } from "./foreign-rules.ts";
import { type Gathered, gatherSettings, type LayerReading } from "./gather-settings.ts";
import { isFixedByPolicy, readPolicy } from "./managed-policy.ts";
import { readProviders } from "./read-providers.ts";
import type { Settings } from "./setting-file.ts";
import type { ConfigurationSources } from "./setting-layers.ts";
import { findSetting, parseSettingPath, type SettingPath, settingKey, valueAt } from "./setting-path.ts";
import { type FindPlace, openPlaces } from "./setting-place.ts";
import { listSettings } from "./settings-schema.ts";
import { shownValue } from "./shown-value.ts";
import { tierDefaults } from "./tier-defaults.ts";

export type LayerValue = {
  readonly layer: ConfigLayer;
  readonly value: Json;
  /** A file, a variable or a flag. */
  readonly from?: string;
  readonly line?: number;
  /** The value is there and is not shown. */
  readonly isHidden?: true;
};

export type ExplainedSetting = {
  readonly key: string;
  /** Of every layer that sets it, weakest first; the last one counts, or all of them where lists are put together. */
  readonly layers: readonly LayerValue[];
  readonly isUnited?: true;
  readonly ignored: readonly (LayerValue & { readonly reason: string })[];
};

export type Explanation = {
  readonly settings: readonly ExplainedSetting[];
  readonly warnings: readonly string[];
  /** Files in the order in which they count, with what keeps one from counting. */
  readonly files: readonly { readonly layer: ConfigLayer; readonly file: string; readonly problem?: string }[];
  readonly foreign: readonly ForeignReading[];
};

export type ExplainOutcome =
  | { readonly ok: true; readonly explanation: Explanation }
  | { readonly ok: false; readonly sentence: string };

/** What flags of the command line set, by the path of the setting. */
export type FlagValue = { readonly flag: string; readonly key: string; readonly value: Json };

export async function explainSettings(
  sources: ConfigurationSources,
  flags: readonly FlagValue[] = [],
): Promise<ExplainOutcome> {
  const outcome = await gatherSettings(sources);
  if (!outcome.ok) return outcome;
  return { ok: true, explanation: await explainGathered(outcome.gathered, sources, flags) };
}

export async function explainGathered(
  gathered: Gathered,
  { environment, home }: Pick<ConfigurationSources, "environment" | "home">,
  flags: readonly FlagValue[] = [],
): Promise<Explanation> {
  const found = new Map<string, { layers: LayerValue[]; ignored: (LayerValue & { reason: string })[] }>();
  const entryOf = (key: string) => {
    const existing = found.get(key) ?? { layers: [], ignored: [] };
    found.set(key, existing);
    return existing;
  };
  for (const { key, default: value } of listSettings()) {
    if (value !== undefined) entryOf(key).layers.push({ layer: "default", value });
  }
  const addReading = async ({ layer, accepted, ignored }: LayerReading) => {
    const place = await openPlaces(layer.path);
    const from = { layer: layerOf(layer.source), from: layer.name };
    for (const { path, value } of leavesOf(accepted)) {
      const shown = { ...from, ...shownAt(path, value, place) };
      // Taken back with the group it belongs to.
      const keys = value === null ? keysBelow(found.keys(), path) : [];
      for (const key of [settingKey(path), ...keys]) entryOf(key).layers.push(shown);
    }
    for (const { key, value, reason } of ignored) {
      for (const leaf of leavesOf({ [key]: value })) {
        // What a project may set of a group stands among the layers; the rest of the group is what was ignored.
        if (valueAt(accepted, leaf.path) === leaf.value) continue;
        entryOf(settingKey(leaf.path)).ignored.push({ ...from, ...shownAt(leaf.path, leaf.value, place), reason });
      }
    }
  };
  for (const reading of gathered.readings) if (reading.layer.source !== "policy") await addReading(reading);
  const policy = gathered.policy === undefined ? undefined : readPolicy(gathered.policy);
  for (const each of variableSettings) {
    const value = readVariable(each, environment);
    if (value === undefined) continue;
    const shown = shownValue(each.key.split("."), value);
    entryOf(each.key).layers.push({ layer: "environment", ...shown, from: each.variable });
  }
  for (const { flag, key, value } of flags) entryOf(key).layers.push({ layer: "command-line", value, from: flag });
  for (const reading of gathered.readings) if (reading.layer.source === "policy") await addReading(reading);
  const model = found.get("model")?.layers.at(-1)?.value;
  const place = { model: typeof model === "string" ? model : undefined, environment, home };
  for (const { key, ...shown } of tierDefaults({ ...place, providers: providersOf(gathered) }))
    entryOf(key).layers.unshift({ layer: "default", ...shown });
  const settings = [...found].map(([key, { layers, ignored }]) => {
    const isUnited = isUnitedKey(key);
    return {
      key,
      layers: withoutRefused(layers, isFixedByPolicy(key, policy)),
      ignored,
      ...(isUnited && { isUnited }),
    };
  });
  return {
    settings: settings.filter(({ layers, ignored }) => layers.length > 0 || ignored.length > 0).toSorted(byKey),
    warnings: gathered.warnings,
    files: gathered.readings.map(({ layer, problem }) => ({
      layer: layerOf(layer.source),
      file: layer.name,
      ...(problem !== undefined && { problem }),
    })),
    foreign: gathered.foreign,
  };
}

/** Providers that are not complete are reported where they are used. */
function providersOf({ settings }: Gathered): ProviderSettings {
  const read = readProviders(settings["provider"]);
  return read.ok ? read.providers : {};
}

/** The value that counts, of layers that are put together the last one. Undefined when no layer has one. */
export function winnerOf({ layers }: ExplainedSetting): LayerValue | undefined {
  const winner = layers.at(-1);
  const isTakenBack = winner?.value === null && winner.isHidden !== true;
  return isTakenBack ? layers.find(({ layer }) => layer === "default") : winner;
}

function isUnitedKey(key: string): true | undefined {
  const found = findSetting(key);
  return found.ok && found.declaration.arrays === "united" ? true : undefined;
}

/** A flag that the policy does not leave to the command line is refused at a start, so it must not seem to win. */
function withoutRefused(layers: readonly LayerValue[], isFixed: boolean): readonly LayerValue[] {
  return isFixed ? layers.filter(({ layer }) => layer !== "command-line") : layers;
}

function byKey(left: ExplainedSetting, right: ExplainedSetting): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}

function keysBelow(keys: Iterable<string>, path: SettingPath): readonly string[] {
  const group = settingKey(path);
  return [...keys].filter((key) => key.startsWith(`${group}.`) || key.startsWith(`${group}[`));
}

function shownAt(path: SettingPath, value: unknown, place: FindPlace) {
  const at = place(path);
  const isFilled = typeof at?.written === "string" && /\{(?:env|file):/.test(at.written);
  return { ...shownValue(path, isFilled ? at.written : value), ...(at !== undefined && { line: at.line }) };
}

const wholeSettings: ReadonlySet<string> = new Set(["permission", "permissions"]);

/** Rules are one value, because their order is part of it. */
function leavesOf(settings: Settings): readonly { readonly path: SettingPath; readonly value: unknown }[] {
  const leaves: { path: SettingPath; value: unknown }[] = [];
  const walk = (value: unknown, path: SettingPath) => {
    const isLeaf = !isJsonObject(value) || Object.keys(value).length === 0 || wholeSettings.has(path[0] ?? "");
    if (value === undefined) return;
    if (isLeaf) leaves.push({ path, value });
    else for (const [name, each] of Object.entries(value)) walk(each, [...path, name]);
  };
  for (const [name, value] of Object.entries(settings)) walk(value, [name]);
  return leaves;
}

function layerOf(source: RuleSource): ConfigLayer {
  switch (source) {
    case "user":
    case "project":
    case "local":
    case "policy":
    case "command-line":
    case "session":
      return source;
    case "flag":
      return "file";
    case "agent":
    case "builtin":
      return "default";
  }
}

/** Settings of which one is asked for: itself and everything below it. */
export function settingsBelow(explanation: Explanation, key: string): readonly ExplainedSetting[] {
  const path = parseSettingPath(key) ?? [];
  return explanation.settings.filter((setting) => {
    const own = parseSettingPath(setting.key) ?? [];
    return path.every((name, index) => own[index] === name);
  });
}
