/** Fetches what is to be installed or updated, and says what it brings: nothing counts before the plan is carried out. */
import { basename } from "node:path";
import {
  type LoadedPlugin,
  loadPlugin,
  type MarketplaceEntry,
  type PluginDependency,
  type PluginSource,
  parseSource,
  sourceText,
} from "@kedge/extend/plugins";
import { type FetchedSource, fetchSource } from "./fetch-source.ts";
import { catalogueOf, entryOf } from "./marketplaces.ts";
import { type LockedPlugin, type PluginLock, wholeLock } from "./plugin-lock.ts";
import type { PluginMachine } from "./plugin-machine.ts";
import { refusedByPolicy } from "./plugin-policy.ts";
import { openStaging } from "./plugin-store.ts";

export type PlannedPlugin = {
  readonly plugin: LockedPlugin;
  /** The version that is installed now. */
  readonly before?: LockedPlugin;
  /** Where its files wait. */
  readonly taken: string;
  readonly notes: readonly string[];
};

export type PluginPlan = { readonly planned: readonly PlannedPlugin[] } & Disposable;

export type Planned =
  | { readonly ok: true; readonly plan: PluginPlan }
  /** A sentence without a full stop. */
  | { readonly ok: false; readonly why: string };

/** What a user asks for, and values for its options. */
export type Wanted = { readonly text: string; readonly values: { readonly [key: string]: string } };

type Target = {
  readonly source: PluginSource;
  readonly marketplace?: string;
  readonly entry?: MarketplaceEntry;
  readonly catalogue?: string;
  readonly values: Wanted["values"];
};

/** With everything it depends on that the same catalogue has. */
export async function planInstall(wanted: Wanted, machine: PluginMachine, signal: AbortSignal): Promise<Planned> {
  const lock = wholeLock(machine.home);
  const target = await targetOf(wanted, lock, machine);
  return typeof target === "string" ? { ok: false, why: target } : plan([target], { lock, machine }, signal);
}

/** Undefined where it is as it was. */
export async function planUpdate(
  plugin: LockedPlugin,
  machine: PluginMachine,
  signal: AbortSignal,
): Promise<Planned | undefined> {
  const lock = wholeLock(machine.home);
  const target = await updateTarget(plugin, lock, machine);
  if (typeof target === "string") return { ok: false, why: target };
  const made = await plan([target], { lock, machine, isUpdate: true }, signal);
  if (!made.ok) return made;
  const [first] = made.plan.planned;
  if (first?.plugin.hash !== plugin.hash || sourceText(first.plugin.source) !== sourceText(plugin.source)) return made;
  made.plan[Symbol.dispose]();
  return undefined;
}

async function targetOf({ text, values }: Wanted, lock: PluginLock, machine: PluginMachine): Promise<Target | string> {
  const [, name, marketplace] = /^([\w.-]+)@([\w.-]+)$/.exec(text) ?? [];
  if (name !== undefined && marketplace !== undefined) {
    const found = await entryOf(lock, { name, marketplace }, machine.home);
    return typeof found === "string" ? found : { ...found, values };
  }
  if (/^[\w.-]+$/.test(text) && !/^\.{1,2}$/.test(text)) {
    const names = lock.marketplaces.map((each) => each.name);
    const where = names.length === 0 ? "add a marketplace first" : `write ${text}@${names.join(` or ${text}@`)}`;
    return `${text} has no source: ${where}, or use ./${text} for a directory`;
  }
  const read = parseSource(text, machine.resolvePath);
  if (!read.ok) return read.why;
  return read.source.kind === "file"
    ? `${text} is a marketplace: add it with kedge plugin marketplace add`
    : { source: read.source, values };
}

async function updateTarget(plugin: LockedPlugin, lock: PluginLock, { home }: PluginMachine): Promise<Target | string> {
  const { name, marketplace, source, values } = plugin;
  if (marketplace === undefined) return { source, values };
  const found = await entryOf(lock, { name, marketplace }, home);
  return typeof found === "string" ? found : { ...found, values };
}

type Planning = { readonly lock: PluginLock; readonly machine: PluginMachine; readonly isUpdate?: true };

async function plan(targets: readonly Target[], planning: Planning, signal: AbortSignal): Promise<Planned> {
  const planned: PlannedPlugin[] = [];
  const stagings: Disposable[] = [];
  const dispose = () => {
    for (const staging of stagings) staging[Symbol.dispose]();
  };
  const waiting = [...targets];
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    const staging = openStaging(planning.machine.home);
    stagings.push(staging);
    const made = await planOne(target, { ...planning, directory: staging.path }, signal);
    if (typeof made === "string") {
      dispose();
      return { ok: false, why: made };
    }
    planned.push(made);
    const next = await dependenciesOf(made, planned, planning);
    if (typeof next === "string") {
      dispose();
      return { ok: false, why: next };
    }
    waiting.push(...next.filter((each) => !waiting.some(({ entry }) => entry?.name === each.entry?.name)));
  }
  return { ok: true, plan: { planned, [Symbol.dispose]: dispose } };
}

async function planOne(
  target: Target,
  { lock, machine, directory, isUpdate }: Planning & { readonly directory: string },
  signal: AbortSignal,
): Promise<PlannedPlugin | string> {
  const { source, marketplace, entry, catalogue, values } = target;
  const refusal = refusedByPolicy(target, machine.policy);
  if (refusal !== undefined) return refusal;
  const { environment, ca } = machine;
  const fetched = await fetchSource(
    source,
    { directory, environment, ...(catalogue !== undefined && { catalogue }), ...(ca !== undefined && { ca }) },
    signal,
  );
  if (!fetched.ok) return fetched.why;
  const loaded = await loadPlugin(fetched.taken, { name: nameIn(source), ...(entry !== undefined && { entry }) });
  if (!loaded.ok)
    return `${sourceText(source)} is not a plugin that kedge can use: ${loaded.why}${await catalogueHint(fetched.taken)}`;
  const unfit = await unfitness(loaded, machine.kedgeVersion);
  if (unfit !== undefined) return unfit;
  const plugin = lockedOf(loaded, { fetched, target });
  const before = lock.plugins.find(({ name }) => name === plugin.name);
  if (
    before !== undefined &&
    isUpdate === undefined &&
    (before.marketplace !== marketplace || !isSameSource(before, plugin))
  )
    return `${plugin.name} is installed from ${before.marketplace ?? sourceText(before.source)}: remove it first`;
  return {
    plugin:
      before === undefined ? plugin : { ...plugin, enabled: before.enabled, values: { ...before.values, ...values } },
    ...(before !== undefined && { before }),
    taken: fetched.taken,
    notes: loaded.notes,
  };
}

/** Another branch or version of the same thing is an update; another place is another thing. */
function isSameSource({ source: one }: LockedPlugin, { source: other }: LockedPlugin): boolean {
  const place = (source: PluginSource) => {
    switch (source.kind) {
      case "git":
        return `${source.url} ${source.path ?? ""}`;
      case "npm":
        return source.package;
      default:
        return sourceText(source);
    }
  };
  return one.kind === other.kind && place(one) === place(other);
}

function lockedOf(
  { manifest, parts, capabilities, rights, index }: LoadedPlugin,
  { fetched, target }: { readonly fetched: Extract<FetchedSource, { ok: true }>; readonly target: Target },
): LockedPlugin {
  const { source, marketplace, entry, values } = target;
  const version = manifest.version ?? entry?.version;
  const description = manifest.description ?? entry?.description;
  return {
    name: manifest.name,
    source,
    ...(marketplace !== undefined && { marketplace }),
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    ...(fetched.commit !== undefined && { commit: fetched.commit }),
    ...(fetched.integrity !== undefined && { integrity: fetched.integrity }),
    hash: fetched.hash,
    dialect: manifest.dialect,
    capabilities,
    rights,
    enabled: manifest.isEnabledAtFirst,
    parts,
    index,
    options: manifest.options,
    values,
    dependencies: manifest.dependencies,
  };
}

/** Of a directory, a repository or a package. */
function nameIn(source: PluginSource): string {
  switch (source.kind) {
    case "path":
    case "inside":
      return basename(source.path);
    case "git":
      return basename(source.path ?? source.url).replace(/\.git$/, "");
    case "npm":
      return basename(source.package);
    case "archive":
    case "file":
      return basename(source.url).replace(/\.(?:tgz|tar\.gz|tar)$/, "");
  }
}

async function catalogueHint(directory: string): Promise<string> {
  const isCatalogue = typeof (await catalogueOf(directory)) !== "string";
  return isCatalogue ? ". It is a marketplace: add it with kedge plugin marketplace add" : "";
}

async function unfitness({ manifest }: LoadedPlugin, kedgeVersion: string): Promise<string | undefined> {
  const { name, kedge } = manifest;
  if (kedge === undefined || (await fitsRange(kedgeVersion, kedge))) return undefined;
  return `${name} requires kedge ${kedge}; this is ${kedgeVersion}`;
}

/** Loaded late: few plugins have ranges. */
async function fitsRange(version: string | undefined, range: string): Promise<boolean> {
  const { coerce, satisfies } = await import("semver");
  const plain = coerce(version, { includePrerelease: true });
  return plain !== null && satisfies(plain, range, { includePrerelease: true });
}

/** What is neither installed nor planned yet, from the catalogue that the plugin came from. */
async function dependenciesOf(
  { plugin }: PlannedPlugin,
  planned: readonly PlannedPlugin[],
  { lock, machine }: Planning,
): Promise<readonly Target[] | string> {
  const targets: Target[] = [];
  for (const dependency of plugin.dependencies) {
    const { name, version } = dependency;
    const known = [...planned.map((each) => each.plugin), ...lock.plugins].find((each) => each.name === name);
    if (known !== undefined) {
      if (version === undefined || (await fitsRange(known.version, version))) continue;
      return `${plugin.name} needs ${name} ${version}, but ${known.version ?? "an unversioned copy"} is installed`;
    }
    const target = await dependencyTarget(plugin, dependency, { lock, machine });
    if (typeof target === "string") return `${plugin.name} needs ${name}, which is unavailable: ${target}`;
    targets.push(target);
  }
  return targets;
}

async function dependencyTarget(
  { marketplace: own }: LockedPlugin,
  { name, marketplace = own }: PluginDependency,
  { lock, machine }: Planning,
): Promise<Target | string> {
  if (marketplace === undefined) return "install it first";
  const found = await entryOf(lock, { name, marketplace }, machine.home);
  return typeof found === "string" ? found : { ...found, values: {} };
}
