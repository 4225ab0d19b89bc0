/** Carries out what the user decided about plugins, each in one change of the lock file. */
import { mkdirSync } from "node:fs";
import { changeLock } from "./change-lock.ts";
import type { PluginPlan } from "./plan-install.ts";
import { dataDirectory, type LockedPlugin, type PluginLock } from "./plugin-lock.ts";
import { moveIntoStore } from "./plugin-store.ts";

/** A sentence without a full stop where it could not be done. */
export type Done = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** All of the plan or nothing of it. What another process changed since it was made stays. */
export function carryOut(home: string, { planned }: PluginPlan): Done {
  return change(home, (lock) => {
    for (const { plugin, before } of planned) {
      const present = lock.plugins.find(({ name }) => name === plugin.name);
      if (present?.hash !== before?.hash) return `${plugin.name} was changed by another kedge process. Try again`;
    }
    for (const { plugin, taken } of planned) {
      moveIntoStore(home, taken, plugin.hash);
      mkdirSync(dataDirectory(home, plugin.name), { recursive: true, mode: 0o700 });
    }
    const names = new Set(planned.map(({ plugin }) => plugin.name));
    const kept = lock.plugins.filter(({ name }) => !names.has(name));
    return [...kept, ...planned.map(({ plugin }) => plugin)].sort((one, other) => (one.name < other.name ? -1 : 1));
  });
}

/** What it kept in its data directory stays. */
export function removePlugin(home: string, name: string): Done {
  return change(home, ({ plugins }) => {
    const dependent = dependents(plugins, name);
    if (dependent.length > 0) return `${dependent.join(", ")} needs ${name}: remove or disable that first`;
    const kept = plugins.filter((each) => each.name !== name);
    return kept.length === plugins.length ? notInstalled(name) : kept;
  });
}

/** `values` are those of its options. */
export function switchPlugin(
  home: string,
  name: string,
  { enabled, values }: { readonly enabled: boolean; readonly values: LockedPlugin["values"] },
): Done {
  return change(home, ({ plugins }) => {
    const plugin = plugins.find((each) => each.name === name);
    if (plugin === undefined) return notInstalled(name);
    const given = { ...plugin.values, ...values };
    const problem = enabled ? missingFor(plugin, given, plugins) : dependentProblem(plugins, name);
    if (problem !== undefined) return problem;
    return plugins.map((each) => (each === plugin ? { ...plugin, enabled, values: given } : each));
  });
}

/** Options without a value, and plugins that it needs and that do not count. */
function missingFor(plugin: LockedPlugin, values: LockedPlugin["values"], plugins: readonly LockedPlugin[]) {
  const [option] = missingOptions({ ...plugin, values });
  if (option !== undefined) return `${plugin.name} needs ${option}: add ${option}=<value>`;
  const lacking = plugin.dependencies.find(({ name }) => !plugins.some((each) => each.name === name && each.enabled));
  return lacking === undefined ? undefined : `${plugin.name} needs ${lacking.name}: enable that first`;
}

export function missingOptions({ options, values }: Pick<LockedPlugin, "options" | "values">): readonly string[] {
  return options.filter(({ key, isRequired }) => isRequired && values[key] === undefined).map(({ key }) => key);
}

function dependentProblem(plugins: readonly LockedPlugin[], name: string): string | undefined {
  const dependent = dependents(plugins, name);
  return dependent.length === 0 ? undefined : `${dependent.join(", ")} needs ${name}: disable that first`;
}

function dependents(plugins: readonly LockedPlugin[], name: string): readonly string[] {
  return plugins
    .filter(({ enabled, dependencies }) => enabled && dependencies.some((each) => each.name === name))
    .map((each) => each.name);
}

function notInstalled(name: string): string {
  return `no plugin named ${name}. List plugins with kedge plugin list`;
}

/** The sentence that `make` gives in the place of plugins leaves everything as it was. */
function change(home: string, make: (lock: PluginLock) => readonly LockedPlugin[] | string): Done {
  return changeLock<Done>(home, (lock) => {
    const plugins = make(lock);
    if (typeof plugins === "string") return { lock, result: { ok: false, why: plugins } };
    return { lock: { ...lock, plugins }, result: { ok: true } };
  });
}
