/** The code of an installed plugin as a group to run. Its folder is in the store, whose name is the hash of all that is in it. */
import { type CodeCapability, type CodeGroup, codeCapabilities } from "@kedge/extend/code";
import type { PluginCode } from "../plugins/plugin-parts.ts";

export function pluginGroup({ files, owner, version, capabilities }: PluginCode): CodeGroup {
  const isKnown = (name: string): name is CodeCapability => codeCapabilities.some((known) => known === name);
  return { files, owner, version, capabilities: capabilities.filter(isKnown) };
}
