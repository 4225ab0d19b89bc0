/** Keeps the plugins of this process in the store for as long as it runs. Does nothing where there are none. */
import type { Home } from "../machine/home.ts";
import { type Claim, claimStored } from "./plugin-claims.ts";
import type { PluginSnapshot } from "./plugin-snapshot.ts";

export type OpenPluginsParts = {
  readonly home: Home;
  readonly onNotice: (sentence: string) => void;
  /** What the user gave for secret options is not shown anywhere. */
  readonly learnSecret: (value: string) => void;
};

export function openPlugins(
  { plugins }: PluginSnapshot,
  { home, onNotice, learnSecret }: OpenPluginsParts,
): Claim | undefined {
  if (plugins.length === 0) return undefined;
  for (const { options, values } of plugins)
    for (const { key, isSecret } of options) if (isSecret && values[key] !== undefined) learnSecret(values[key]);
  const claim = claimStored(
    home.directory,
    plugins.map(({ hash }) => hash),
  );
  for (const { name, hash } of plugins)
    if (claim.lost.includes(hash)) onNotice(`Plugin ${name} changed during startup. Restart kedge to use it.`);
  return claim;
}
