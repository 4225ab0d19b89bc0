/** Language servers that a plugin describes, under the plugin's name. */
import { readServers, type ServerDefinition } from "@kedge/extend/lsp";
import type { PluginServer } from "../plugins/plugin-parts.ts";

export function pluginLanguageServers(
  { name, plugin, config, root, environment }: PluginServer,
  onNotice: (sentence: string) => void,
): readonly ServerDefinition[] {
  const source = { origin: `the plugin ${plugin}`, directory: root, isOfProject: false, variables: environment };
  const { servers, problems } = readServers({ [name]: config }, [], source);
  for (const { why } of problems) onNotice(`The language server ${name} is not used: ${why}.`);
  return servers;
}
