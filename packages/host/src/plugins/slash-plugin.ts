/** `/plugin`: what this session was started with, and what changed since. */
import type { Json } from "@kedge/protocol";
import { readLock } from "./plugin-lock.ts";
import type { PluginSnapshot } from "./plugin-snapshot.ts";
import { pluginLines, pluginRow } from "./plugin-text.ts";
import { projectProposals, proposalLines } from "./project-proposals.ts";

export type SlashPlugin = { readonly snapshot: PluginSnapshot; readonly home: string; readonly root: string };

export async function runSlashPlugin({
  snapshot,
  home,
  root,
}: SlashPlugin): Promise<{ readonly text: string; readonly data: Json }> {
  const { plugins, warnings } = snapshot;
  const changed = changedSince(snapshot, home);
  const proposals = await projectProposals(root);
  const lines = [
    ...(plugins.length === 0 ? ["No plugins. Install one with kedge plugin add."] : plugins.flatMap(pluginLines)),
    ...warnings,
    ...changed.map((name) => `${name} changed since this session started. Restart kedge to use the new version.`),
    ...proposalLines(proposals),
  ];
  return {
    text: lines.join("\n"),
    data: { plugins: plugins.map(pluginRow), warnings: [...warnings], changed: [...changed] },
  };
}

/** Names of plugins that are installed, removed, switched or updated since. */
function changedSince({ plugins }: PluginSnapshot, home: string): readonly string[] {
  const read = readLock(home);
  if (!read.ok) return [];
  const now = new Map(read.lock.plugins.filter(({ enabled }) => enabled).map(({ name, hash }) => [name, hash]));
  const then = new Map(plugins.map(({ name, hash }) => [name, hash]));
  return [...new Set([...now.keys(), ...then.keys()])].filter((name) => now.get(name) !== then.get(name)).toSorted();
}
