/** Collects the settings of all files, weakest first, into what the parts of kedge are told. */
import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type AutoModeSettings, type EngineParts, isOverBroad } from "@kedge/engine";
import type { ProviderSettings } from "@kedge/models";
import {
  type EditMode,
  type Effort,
  type Failure,
  nearNames,
  type PermissionMode,
  type ReasoningWish,
  type RuleSet,
  type RuleSource,
  type RunOptions,
} from "@kedge/protocol";
import type { SearchBackend } from "@kedge/tools";
import { type RetentionSettings, readRetentionSettings } from "../retention/retention-settings.ts";
import { isTracked } from "../trust/tracked-file.ts";
import { describeProblem } from "./checks.ts";
import { type ConversationSettings, readConversationSettings } from "./conversation-settings.ts";
import { type EnvSettings, readEnvSettings } from "./env-settings.ts";
import { type KnownSetting, knownSettings } from "./known-settings.ts";
import {
  findManagedFiles,
  isFixedByPolicy,
  type ManagedPlace,
  managedPlaceDefault,
  type Policy,
  policyChecks,
  readPolicy,
  rulesUnderPolicy,
} from "./managed-policy.ts";
import { mergeSettings } from "./merge-settings.ts";
import { readProviders } from "./read-providers.ts";
import { overBroadWarnings, readRules } from "./read-rules.ts";
import { readSandboxSettings, type SandboxSettings } from "./sandbox-settings.ts";
import { existingFile, readSettings, type Settings } from "./setting-file.ts";
import { readToolSettings, type ToolSettings } from "./tool-settings.ts";

export type Configuration = {
  /** `provider/model`, when one was chosen. */
  readonly model: string | undefined;
  readonly providers: ProviderSettings;
  readonly mode: PermissionMode | undefined;
  /** Whether a run goes on after a plain no. */
  readonly continueOnReject: boolean;
  readonly env: EnvSettings;
  /** Present where the machine has a managed policy. */
  readonly policy?: Policy;
  /** One set per source that has rules. */
  readonly rules: readonly RuleSet[];
  /** What holds for every run unless the command line says otherwise. */
  readonly limits: RunOptions;
  readonly tools: ToolSettings;
  readonly sandbox: SandboxSettings;
  readonly conversation: ConversationSettings;
  /** Present where old sessions are to be deleted. */
  readonly retention?: RetentionSettings;
  readonly interruptMode: "immediate" | "boundary";
  /** What answers in auto mode, and what it is told beside our own lines. */
  readonly autoMode: AutoModeSettings;
  /** How a run is watched for signs that it forces its result. */
  readonly pressure: NonNullable<EngineParts["pressure"]>;
  readonly web: { readonly search?: SearchBackend };
  readonly edit: { readonly mode?: EditMode; readonly modes?: { readonly [pattern: string]: EditMode } };
  readonly network: { readonly proxy?: string; readonly caFile?: string };
  readonly catalogue: { readonly url?: string; readonly refresh?: boolean };
};

export type Loaded =
  | { readonly ok: true; readonly configuration: Configuration; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

export type ConfigurationSources = {
  /** kedge's own directory. */
  readonly home: string;
  readonly userDirectory: string;
  readonly cwd: string;
  readonly projectRoot: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Files given on the command line, weakest first. */
  readonly files: readonly string[];
  /** What a project brings counts only then, but for what it asks about and denies. */
  readonly isTrusted: boolean;
  /** Where the managed policy lies; in its one place without this. */
  readonly managed?: ManagedPlace;
};

type Layer = { readonly path: string; readonly source: RuleSource };

type Layers = { readonly layers: readonly Layer[]; readonly warnings: readonly string[] };

type Gathered = {
  readonly settings: Settings;
  readonly rules: readonly RuleSet[];
  readonly warnings: readonly string[];
  /** The last file that named a provider, for what is found missing after merging. */
  readonly providerFile: string;
  /** What the files of the managed policy set, apart. */
  readonly policy: Settings | undefined;
};

export async function loadConfiguration(sources: ConfigurationSources): Promise<Loaded> {
  const managed = findManagedFiles(sources.managed ?? managedPlaceDefault);
  if (!managed.ok) return { ok: false, failure: invalid(managed.sentence) };
  const { layers, warnings: skipped } = layersOf(sources);
  // Last, so that nothing comes after it.
  const policyLayers = managed.paths.map((path) => ({ path, source: "policy" as const }));
  let gathered: Gathered = { settings: {}, rules: [], warnings: skipped, providerFile: "", policy: undefined };
  for (const layer of [...layers, ...policyLayers]) {
    const name = shownPath(layer.path, sources);
    const added = await addLayer(gathered, layer, { name, sources });
    if (added.ok) gathered = added.gathered;
    else if (isProject(layer)) {
      gathered = { ...gathered, warnings: [...gathered.warnings, `${added.sentence}; the file is skipped`] };
    } else return { ok: false, failure: invalid(added.sentence) };
  }
  const { settings, rules, providerFile } = gathered;
  const policy = gathered.policy === undefined ? undefined : readPolicy(gathered.policy);
  const { mode, warnings } = modeOf(gathered, policy);
  const retention = readRetentionSettings(settings["retention"]);
  const providers = readProviders(settings["provider"]);
  if (!providers.ok) return { ok: false, failure: invalid(describeProblem(providerFile, providers.problem)) };
  return {
    ok: true,
    warnings,
    configuration: {
      // Each value was checked against `knownSettings` when its file was read.
      model: settings["model"] as string | undefined,
      providers: providers.providers,
      mode,
      continueOnReject: settings["continueOnReject"] === true,
      env: readEnvSettings(settings["env"]),
      ...(policy !== undefined && { policy }),
      rules: rulesUnderPolicy(rules, policy),
      limits: {
        ...readLimits(settings["limits"] as LimitSettings | undefined),
        ...readWishes(settings, isFixedByPolicy("thinking.maxTokens", policy) ? {} : sources.environment),
      },
      edit: readEditModes(settings["edit"] as EditSettings | undefined),
      tools: readToolSettings(settings),
      sandbox: readSandboxSettings(settings["sandbox"]),
      conversation: readConversationSettings(settings),
      ...(retention !== undefined && { retention }),
      interruptMode: (settings["interruptMode"] as Configuration["interruptMode"] | undefined) ?? "immediate",
      autoMode: {
        allow: [],
        softDeny: [],
        environment: [],
        ...(settings["auto"] as Partial<AutoModeSettings> | undefined),
      },
      pressure: readPressure(settings["pressure"] as PressureSettings | undefined),
      web: (settings["web"] ?? {}) as Configuration["web"],
      network: (settings["network"] ?? {}) as Configuration["network"],
      catalogue: (settings["catalogue"] ?? {}) as Configuration["catalogue"],
    },
  };
}

/** A mode that the policy switched off is as if no file had chosen it. */
function modeOf(
  { settings, warnings }: Gathered,
  policy: Policy | undefined,
): { readonly mode: PermissionMode | undefined; readonly warnings: readonly string[] } {
  const mode = settings["permissionMode"] as PermissionMode | undefined;
  if (mode === undefined || policy?.disabledModes.includes(mode) !== true) return { mode, warnings };
  const warning = `permissionMode ${mode} is ignored, because the managed policy of this machine switches it off`;
  return { mode: undefined, warnings: [...warnings, warning] };
}

function layersOf({ home, projectRoot, cwd, environment, files }: ConfigurationSources): Layers {
  const layers: Layer[] = [];
  const warnings: string[] = [];
  const addExisting = (path: string, source: RuleSource) => {
    const found = existingFile(path);
    // A repository in the user's own directory would otherwise make the user's file a project's file as well.
    if (found === undefined || layers.some((layer) => layer.path === found)) return;
    if (source === "user" || liesIn(projectRoot, found)) layers.push({ path: found, source });
    else
      warnings.push(`${relative(projectRoot, found)} is skipped, because it is a link that leads out of the project`);
  };
  addExisting(join(home, "config.json"), "user");
  addExisting(join(projectRoot, "kedge.json"), "project");
  addExisting(join(projectRoot, ".kedge", "config.json"), "project");
  // What came with the repository is the project's, whatever its name.
  const isOwn = (path: string) => !isTracked(projectRoot, path) && !isTracked(projectRoot, `${path}c`);
  const localPath = join(projectRoot, ".kedge", "config.local.json");
  if (existingFile(localPath) !== undefined) {
    addExisting(localPath, isOwn(".kedge/config.local.json") ? "local" : "project");
  }
  const fromEnvironment = environment["KEDGE_CONFIG"];
  for (const file of fromEnvironment ? [fromEnvironment, ...files] : files) {
    layers.push({ path: resolve(cwd, file), source: "flag" });
  }
  return { layers, warnings };
}

function liesIn(root: string, path: string): boolean {
  return realpathSync.native(path).startsWith(realpathSync.native(root) + sep);
}

/** Files in the project's directory have a project's rights: an archive may have brought what git does not know. */
function isProject(layer: Layer): boolean {
  return layer.source === "project" || layer.source === "local";
}

/** Neither strangers nor the user's own variables shall decide what such a file says. */
function mayBeFilled(layer: Layer): boolean {
  return !isProject(layer) && layer.source !== "policy";
}

function settingFor(key: string, { source }: Layer): KnownSetting | undefined {
  const check = source === "policy" && Object.hasOwn(policyChecks, key) ? policyChecks[key] : undefined;
  if (check !== undefined) return { check, fromProject: () => ({ kept: undefined }) };
  return Object.hasOwn(knownSettings, key) ? knownSettings[key] : undefined;
}

type Added = { readonly ok: true; readonly gathered: Gathered } | { readonly ok: false; readonly sentence: string };

async function addLayer(
  soFar: Gathered,
  layer: Layer,
  { name, sources }: { readonly name: string; readonly sources: ConfigurationSources },
): Promise<Added> {
  const { environment, userDirectory } = sources;
  const read = await readSettings(
    layer.path,
    mayBeFilled(layer) ? { name, substitution: { environment, userDirectory } } : { name },
  );
  if (!read.ok) return read;
  const warnings = [...soFar.warnings, ...read.warnings];
  const accepted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(read.settings)) {
    const known = settingFor(key, layer);
    if (known === undefined) {
      warnings.push(unknownSetting(name, key));
      continue;
    }
    const first = known.check(value, key)[0];
    if (first !== undefined) return { ok: false, sentence: describeProblem(name, first) };
    if (!isProject(layer)) {
      const isIn = known.sources?.includes(layer.source) ?? true;
      if (isIn) accepted[key] = value;
      else warnings.push(`${name}: ${key} is ignored, because it counts only in your own config.json`);
      continue;
    }
    const { kept, ignored } = known.fromProject(value, soFar.settings[key]);
    if (!sources.isTrusted && !ruleSettings.has(key)) continue;
    accepted[key] = kept;
    if (ignored !== undefined) warnings.push(`${name}: ${key} is ignored, because ${ignored}`);
  }
  const { permission, permissions, permission_presets: presets, ...settings } = accepted;
  const parsed = readRules({ permission, permissions, presets }, { source: layer.source, file: name });
  if (!parsed.ok) return parsed;
  const rules = isProject(layer) ? projectRules(parsed.rules, sources) : parsed.rules;
  warnings.push(...overBroadWarnings(rules, name));
  if (rules.rules.length < parsed.rules.rules.length && sources.isTrusted) {
    warnings.push(`${name}: allowing nearly everything is ignored, because a project may not do that`);
  }
  return {
    ok: true,
    gathered: {
      settings: mergeSettings(soFar.settings, settings),
      rules: addRules(soFar.rules, rules),
      warnings,
      providerFile: settings["provider"] === undefined ? soFar.providerFile : name,
      policy: layer.source === "policy" ? mergeSettings(soFar.policy ?? {}, settings) : soFar.policy,
    },
  };
}

const ruleSettings: ReadonlySet<string> = new Set(["permission", "permissions", "permission_presets"]);

/** Before trust it only asks and denies; after it, it may allow where nobody else speaks, but not everything. */
function projectRules({ source, rules }: RuleSet, { isTrusted }: ConfigurationSources): RuleSet {
  return { source, rules: rules.filter((rule) => rule.action !== "allow" || (isTrusted && !isOverBroad(rule))) };
}

/** Rules of one source form one list, in the order of its files. */
function addRules(sets: readonly RuleSet[], added: RuleSet): readonly RuleSet[] {
  if (added.rules.length === 0) return sets;
  const existing = sets.find((set) => set.source === added.source);
  if (existing === undefined) return [...sets, added];
  return sets.map((set) => (set === existing ? { ...set, rules: [...set.rules, ...added.rules] } : set));
}

function unknownSetting(file: string, key: string): string {
  if (Object.hasOwn(policyChecks, key)) return `${file}: ${key} counts in a managed policy only`;
  const nearest = nearNames(key, Object.keys(knownSettings), { countMax: 1 })[0];
  return `${file}: ${key} is not a setting${nearest === undefined ? "" : `; the nearest is ${nearest}`}`;
}

type EditSettings = Configuration["edit"];

function readEditModes({ mode, modes }: EditSettings = {}): Configuration["edit"] {
  return { ...(mode !== undefined && { mode }), ...(modes !== undefined && { modes }) };
}

type PressureSettings = { readonly enabled?: boolean; readonly elevated?: number; readonly high?: number };

function readPressure({ enabled, elevated, high }: PressureSettings = {}): Configuration["pressure"] {
  const thresholds = { ...(elevated !== undefined && { elevated }), ...(high !== undefined && { high }) };
  return { ...(enabled !== undefined && { enabled }), thresholds };
}

type LimitSettings = { readonly [name: string]: number };

/** A variable wins over the files, because it was set for this one start. */
function readWishes(settings: Settings, environment: ConfigurationSources["environment"]): RunOptions {
  const fallbackModel = settings["fallbackModel"] as string | undefined;
  const thinking = settings["thinking"] as { readonly effort?: Effort; readonly maxTokens?: number } | undefined;
  const variable = environment["KEDGE_MAX_THINKING_TOKENS"];
  const given = variable === undefined || variable === "" ? Number.NaN : Number(variable);
  const tokensMax = Number.isInteger(given) && given >= 0 ? given : thinking?.maxTokens;
  const reasoning: ReasoningWish = {
    ...(thinking?.effort !== undefined && { effort: thinking.effort }),
    ...(tokensMax !== undefined && { tokensMax }),
  };
  return {
    ...(fallbackModel !== undefined && { fallbackModel }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
  };
}

function readLimits(limits: LimitSettings = {}): RunOptions {
  const { maxTurns, maxBudgetUsd, maxTokens, maxSteps } = limits;
  return {
    ...(maxTurns !== undefined && { turnsMax: maxTurns }),
    ...(maxBudgetUsd !== undefined && { budgetUsdMax: maxBudgetUsd }),
    ...(maxTokens !== undefined && { tokensMax: maxTokens }),
    ...(maxSteps !== undefined && { stepsMax: maxSteps }),
  };
}

function invalid(message: string): Failure {
  return { code: "configuration", message: `${message}.`, retryable: false };
}

function shownPath(path: string, { projectRoot, userDirectory, home }: ConfigurationSources): string {
  if (path.startsWith(`${home}/`) && home === join(userDirectory, ".kedge"))
    return `~/.kedge${path.slice(home.length)}`;
  if (path.startsWith(`${projectRoot}/`)) return path.slice(projectRoot.length + 1);
  return isAbsolute(userDirectory) && path.startsWith(`${userDirectory}/`)
    ? `~${path.slice(userDirectory.length)}`
    : path;
}
