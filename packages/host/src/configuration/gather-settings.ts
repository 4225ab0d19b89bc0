/** Reads all layers, weakest first: checks every value, holds projects to their rights, and puts the layers together. */
import type { NamedFiles } from "@kedge/memory/instructions";
import { nearNames, type RuleSet } from "@kedge/protocol";
import { type CapturedHooks, captureHooks } from "../hooks/capture-hooks.ts";
import { type CapturedServers, captureServers } from "../mcp/capture-servers.ts";
import { pluginHooks } from "../plugins/plugin-hooks.ts";
import { capturePlugins, noPlugins, type PluginSnapshot } from "../plugins/plugin-snapshot.ts";
import { brokenSentence, setAsideSentence } from "./broken-files.ts";
import { describeProblem } from "./checks.ts";
import { type ForeignReading, readForeignRules } from "./foreign-rules.ts";
import { knownSettings, unitedSettings } from "./known-settings.ts";
import { findManagedFiles, managedPlaceDefault, policyDeclarations } from "./managed-policy.ts";
import { mergeSettings } from "./merge-settings.ts";
import { overBroadWarnings, readRules, rulesOfStrangers } from "./read-rules.ts";
import { isSetAside } from "./set-aside.ts";
import { keptOfProject, type SettingDeclaration } from "./setting-declaration.ts";
import { readSettings, type Settings } from "./setting-file.ts";
import {
  type ConfigurationSources,
  findLayers,
  isProject,
  type Layer,
  mayBeFilled,
  shownPath,
} from "./setting-layers.ts";
import { readDisabledProviders } from "./source-settings.ts";

export type Gathered = {
  /** What all layers add up to, without rules. */
  readonly settings: Settings;
  readonly rules: readonly RuleSet[];
  readonly warnings: readonly string[];
  /** The last file that named a provider, for what is found missing after merging. */
  readonly providerFile: string;
  /** What the files of the managed policy set, apart. */
  readonly policy: Settings | undefined;
  /** Each layer for itself, for whoever explains where a value comes from. */
  readonly readings: readonly LayerReading[];
  readonly foreign: readonly ForeignReading[];
  /** Instruction files that settings of other agents name. */
  readonly named: readonly NamedFiles[];
  readonly hooks: CapturedHooks;
  readonly mcp: CapturedServers;
  readonly plugins: PluginSnapshot;
  /** Names of files that cannot be used, so that nobody knows what they deny. */
  readonly broken: readonly string[];
};

export type LayerReading = {
  readonly layer: Layer;
  /** What of it counts, with its rules. */
  readonly accepted: Settings;
  readonly ignored: readonly IgnoredSetting[];
  /** Why the whole file is skipped. */
  readonly problem?: string;
};

export type IgnoredSetting = { readonly key: string; readonly value: unknown; readonly reason: string };

export type GatherOutcome =
  | { readonly ok: true; readonly gathered: Gathered }
  | { readonly ok: false; readonly sentence: string };

const nothing: Gathered = {
  settings: {},
  rules: [],
  providerFile: "",
  policy: undefined,
  readings: [],
  foreign: [],
  named: [],
  hooks: { sources: [], warnings: [] },
  mcp: { files: [], lists: { denied: [] }, warnings: [] },
  plugins: noPlugins,
  broken: [],
  warnings: [],
};

export async function gatherSettings(sources: ConfigurationSources): Promise<GatherOutcome> {
  const managed = findManagedFiles(sources.managed ?? managedPlaceDefault);
  if (!managed.ok) return managed;
  // Last, so that nothing comes after it.
  const policy = managed.paths.map((path): Layer => ({ path, source: "policy", name: shownPath(path, sources) }));
  let gathered: Gathered = nothing;
  for (const layer of [...findLayers(sources), ...policy]) {
    const added = await addLayer(gathered, layer, sources);
    if (added.ok) gathered = added.gathered;
    else if (layer.source === "policy") return added;
    else if (isSetAside(layer.path, sources.home))
      gathered = skipLayer(gathered, layer, setAsideSentence(added.sentence));
    else if (isProject(layer)) gathered = breakLayer(gathered, layer, added.sentence);
    else return added;
  }
  const withRules = await addForeignRules(gathered, sources);
  return { ok: true, gathered: await addExtensions(addPlugins(withRules, sources), sources) };
}

/** Where their list is damaged nobody knows what their hooks would deny. */
function addPlugins(gathered: Gathered, { home }: ConfigurationSources): Gathered {
  const plugins = capturePlugins(home, gathered.policy);
  const warnings = [...gathered.warnings, ...plugins.warnings];
  const { broken = [] } = plugins;
  return { ...gathered, plugins, warnings, broken: [...gathered.broken, broken].flat() };
}

async function addExtensions(gathered: Gathered, sources: ConfigurationSources): Promise<Gathered> {
  const { readings, policy, settings } = gathered;
  const enabled = gathered.plugins.plugins.filter(({ parts }) => parts.hooks.length > 0);
  const plugins = enabled.length === 0 ? [] : pluginHooks(enabled);
  const disabled = readDisabledProviders(settings, sources);
  const isDisabled = (source: string) => disabled.includes(source);
  const hooks = await captureHooks({ readings, policy, settings, isDisabled, plugins }, sources);
  const mcp = await captureServers({ readings, settings, isDisabled, plugins: gathered.plugins }, sources);
  return { ...gathered, hooks, mcp, warnings: [...gathered.warnings, ...hooks.warnings, ...mcp.warnings] };
}

async function addForeignRules(gathered: Gathered, sources: ConfigurationSources): Promise<Gathered> {
  const { readings: foreign, ...read } = await readForeignRules(sources, () => ({
    everywhere: readDisabledProviders(gathered.settings, sources),
    // A project cannot set compat, so what counts of it is the user's.
    byUser: readDisabledProviders(
      { ...ofUser(gathered, "disabledProviders"), compat: gathered.settings["compat"] },
      sources,
    ),
  }));
  const warnings = [...gathered.warnings, ...read.warnings];
  if (foreign.length === 0) return { ...gathered, warnings };
  const rules = read.sets.reduce(putBefore, gathered.rules);
  return { ...gathered, rules, warnings, foreign, named: read.named, broken: [...gathered.broken, ...read.broken] };
}

function ofUser({ readings }: Gathered, name: string): Settings {
  return { [name]: readings.flatMap(({ layer, accepted }) => (isProject(layer) ? [] : (accepted[name] ?? []))) };
}

/** What comes later among the rules of one source wins. */
function putBefore(sets: readonly RuleSet[], weaker: RuleSet): readonly RuleSet[] {
  if (weaker.rules.length === 0) return sets;
  const existing = sets.find(({ source }) => source === weaker.source);
  if (existing === undefined) return [...sets, weaker];
  return sets.map((set) => (set === existing ? { ...set, rules: [...weaker.rules, ...set.rules] } : set));
}

/** Rules are kept apart, so that those of a weaker file are never replaced; a change of them is one all the same. */
export function settingsWithRules({ settings, readings }: Gathered): Settings {
  const ofNames = ["permission", "permissions", "permission_presets"].map((name) => [
    name,
    readings.map(({ accepted }) => accepted[name]).filter((value) => value !== undefined),
  ]);
  return { ...settings, ...Object.fromEntries(ofNames.filter(([, values]) => values?.length !== 0)) };
}

function skipLayer(gathered: Gathered, layer: Layer, sentence: string, problem = sentence): Gathered {
  return {
    ...gathered,
    warnings: [...gathered.warnings, sentence],
    readings: [...gathered.readings, { layer, accepted: {}, ignored: [], problem }],
  };
}

function breakLayer(gathered: Gathered, layer: Layer, problem: string): Gathered {
  const skipped = skipLayer(gathered, layer, brokenSentence(problem, layer.name), problem);
  return { ...skipped, broken: [...gathered.broken, layer.name] };
}

/** Why a file that kedge reads here cannot be used; undefined when it can. */
export async function problemOf(layer: Layer, sources: ConfigurationSources): Promise<string | undefined> {
  const added = await addLayer(nothing, layer, sources);
  return added.ok ? undefined : added.sentence;
}

async function addLayer(soFar: Gathered, layer: Layer, sources: ConfigurationSources): Promise<GatherOutcome> {
  const { name } = layer;
  if (layer.problem !== undefined) return { ok: false, sentence: layer.problem };
  const { environment, userDirectory } = sources;
  const read = await readSettings(
    layer.path,
    mayBeFilled(layer) ? { name, substitution: { environment, userDirectory } } : { name },
  );
  if (!read.ok) return read;
  const judged = judgeSettings(read.settings, layer, { soFar: soFar.settings, isTrusted: sources.isTrusted });
  if (!judged.ok) return judged;
  const { accepted, ignored } = judged;
  const warnings = [...soFar.warnings, ...read.warnings, ...judged.warnings];
  const { permission, permissions, permission_presets: presets, ...settings } = accepted;
  const parsed = readRules({ permission, permissions, presets }, { source: layer.source, file: name });
  if (!parsed.ok) return parsed;
  const rules = isProject(layer) ? rulesOfStrangers(parsed.rules, sources) : parsed.rules;
  warnings.push(...overBroadWarnings(rules, name));
  if (rules.rules.length < parsed.rules.rules.length && sources.isTrusted) {
    warnings.push(`${name}: ignored a rule that allows nearly everything; a project may not do that`);
  }
  return {
    ok: true,
    gathered: {
      ...soFar,
      settings: mergeSettings(soFar.settings, settings, unitedSettings),
      rules: addRules(soFar.rules, rules),
      warnings,
      providerFile: settings["provider"] === undefined ? soFar.providerFile : name,
      policy: layer.source === "policy" ? mergeSettings(soFar.policy ?? {}, settings) : soFar.policy,
      readings: [...soFar.readings, { layer, accepted, ignored }],
    },
  };
}

type Judged =
  | {
      readonly ok: true;
      readonly accepted: Settings;
      readonly ignored: readonly IgnoredSetting[];
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly sentence: string };

type JudgedAgainst = { readonly soFar: Settings; readonly isTrusted: boolean };

/** What of a file's settings counts. One that is wrong makes the whole file wrong. */
export function judgeSettings(settings: Settings, layer: Layer, { soFar, isTrusted }: JudgedAgainst): Judged {
  const { name, source } = layer;
  const accepted: Record<string, unknown> = {};
  const ignored: IgnoredSetting[] = [];
  const warnings: string[] = [];
  const ignore = (key: string, value: unknown, reason: string) => {
    ignored.push({ key, value, reason });
    warnings.push(`${name}: ${key} is ignored: ${reason}`);
  };
  for (const [key, value] of Object.entries(settings)) {
    const known = settingFor(key, layer);
    if (known === undefined) {
      warnings.push(unknownSetting(name, key));
      ignored.push({ key, value, reason: "it is not a setting" });
      continue;
    }
    const first = known.check(value, key)[0];
    if (first !== undefined) return { ok: false, sentence: describeProblem(name, first) };
    if (!isProject(layer)) {
      if (known.sources?.includes(source) ?? true) accepted[key] = value;
      else ignore(key, value, "it only applies in your own config.json");
      continue;
    }
    const { kept, ignored: reason } = keptOfProject(known.project, value, soFar[key]);
    if (!isTrusted && !ruleSettings.has(key)) {
      // The question for trust tells of it; here only an explanation does.
      ignored.push({ key, value, reason: "the project is not trusted" });
      continue;
    }
    accepted[key] = kept;
    if (reason !== undefined) ignore(key, value, reason);
  }
  return { ok: true, accepted, ignored, warnings };
}

function settingFor(key: string, { source }: Layer): SettingDeclaration | undefined {
  if (source === "policy" && Object.hasOwn(policyDeclarations, key)) return policyDeclarations[key];
  return Object.hasOwn(knownSettings, key) ? knownSettings[key] : undefined;
}

const ruleSettings: ReadonlySet<string> = new Set(["permission", "permissions", "permission_presets"]);

/** Rules of one source form one list, in the order of its files. */
function addRules(sets: readonly RuleSet[], added: RuleSet): readonly RuleSet[] {
  if (added.rules.length === 0) return sets;
  const existing = sets.find((set) => set.source === added.source);
  if (existing === undefined) return [...sets, added];
  return sets.map((set) => (set === existing ? { ...set, rules: [...set.rules, ...added.rules] } : set));
}

function unknownSetting(file: string, key: string): string {
  if (Object.hasOwn(policyDeclarations, key)) return `${file}: ${key} only applies in a managed policy`;
  const nearest = nearNames(key, Object.keys(knownSettings), { countMax: 1 })[0];
  return `${file}: ${key} is not a setting${nearest === undefined ? "" : `; the nearest is ${nearest}`}`;
}
