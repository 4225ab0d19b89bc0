/** Plugins: manifests and catalogues of several agents, what they bring, and the check of a whole folder. */

export { type LoadedPlugin, loadPlugin } from "./load-plugin.ts";
export { findMarketplace, type Marketplace, type MarketplaceEntry } from "./marketplace.ts";
export { type Capability, capabilityText, changedCapabilities } from "./plugin-capabilities.ts";
export { pluginFolders } from "./plugin-folders.ts";
export type { PluginDependency, PluginManifest, PluginOption } from "./plugin-manifest.ts";
export type { PluginParts } from "./plugin-parts.ts";
export { parseSource } from "./plugin-source.ts";
export { type IndexedSkill, indexedSkills } from "./skill-index.ts";
export { type PluginSource, sourceText } from "./source-text.ts";
export { type Validated, type ValidatedFile, validateFolder } from "./validate-folder.ts";
