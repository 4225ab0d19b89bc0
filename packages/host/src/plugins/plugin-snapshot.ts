/** The plugins that count in this process, as they were at its start: read once, with the settings, and never again. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../configuration/setting-file.ts";
import { dataDirectory, type LockedPlugin, readLock, storedDirectory } from "./plugin-lock.ts";
import { refusedByPolicy } from "./plugin-policy.ts";

export type EnabledPlugin = LockedPlugin & {
  /** Its directory, which never changes. */
  readonly root: string;
  readonly data: string;
};

export type PluginSnapshot = {
  readonly plugins: readonly EnabledPlugin[];
  /** Of plugins that are enabled and yet do not count. */
  readonly warnings: readonly string[];
  /** The name of the list, where it cannot be read: then nobody knows which hooks should have run. */
  readonly broken?: string;
};

export const noPlugins: PluginSnapshot = { plugins: [], warnings: [] };

/** `policy` is what the managed policy sets. */
export function capturePlugins(home: string, policy: Settings | undefined): PluginSnapshot {
  const read = readLock(home);
  if (!read.ok) return { plugins: [], warnings: [read.why], broken: join("plugins", "lock.json") };
  const warnings: string[] = [];
  const plugins = read.lock.plugins.flatMap((plugin): readonly EnabledPlugin[] => {
    const { name, hash, enabled } = plugin;
    if (!enabled) return [];
    const refusal = refusedByPolicy(plugin, policy);
    const root = storedDirectory(home, hash);
    if (refusal !== undefined) warnings.push(`the plugin ${name} is not loaded: ${refusal}`);
    else if (!existsSync(root))
      warnings.push(
        `the plugin ${name} is not loaded: its files are missing. Restore them with kedge plugin update ${name}`,
      );
    else return [{ ...plugin, root, data: dataDirectory(home, name) }];
    return [];
  });
  for (const { name, dependencies, options, values } of plugins) {
    const lacking = dependencies.filter((needed) => !plugins.some((each) => each.name === needed.name));
    const unset = options.filter(({ key, isRequired }) => isRequired && values[key] === undefined);
    warnings.push(...lacking.map((needed) => `the plugin ${name} needs ${needed.name}, which is not enabled`));
    warnings.push(
      ...unset.map(({ key }) => `the plugin ${name} needs ${key}: kedge plugin enable ${name} ${key}=<value>`),
    );
  }
  return { plugins, warnings };
}
